#include "tuner/search/sizes_between.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace redtune::search {

namespace {

/// Returns an odd number near low * (high / low)^share: `share` is the position between the two on a logarithmic scale.
std::uint64_t odd_between(std::uint64_t low, std::uint64_t high, double share) {
    const double from = static_cast<double>(std::max<std::uint64_t>(1, low));
    return static_cast<std::uint64_t>(from * std::pow(static_cast<double>(high) / from, share)) | 1;
}

}  // namespace

std::vector<std::uint64_t> sizes_between(const std::vector<std::uint64_t>& sizes, std::uint64_t unit,
                                         std::size_t per_doubling) {
    std::set<std::uint64_t> found;
    for (std::size_t i = 1; i < sizes.size() && per_doubling != 0; ++i) {
        const std::uint64_t low = std::max<std::uint64_t>(1, sizes[i - 1] / unit);
        const std::uint64_t high = sizes[i] / unit;
        const double doublings = std::log2(static_cast<double>(high) / static_cast<double>(low));
        const auto count = static_cast<std::size_t>(std::max(1.0, std::round(doublings * double(per_doubling))));
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint64_t rows =
                k == 0 ? (low + 1) | 1 : odd_between(low, high, static_cast<double>(k) / static_cast<double>(count));
            if (rows > low && rows < high) found.insert(rows * unit);
        }
    }
    for (const std::uint64_t n : sizes) found.erase(n);
    return {found.begin(), found.end()};
}

std::optional<std::uint64_t> size_in_the_middle(std::uint64_t low, std::uint64_t high, std::uint64_t unit) {
    const std::uint64_t middle = odd_between(low / unit, high / unit, 0.5);
    if (middle <= low / unit || middle >= high / unit) return std::nullopt;
    return middle * unit;
}

}  // namespace redtune::search
