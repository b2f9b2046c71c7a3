#include "tuner/lookup/tuned_size.h"

#include <algorithm>
#include <cmath>

namespace redtune::lookup {

namespace {

// A 128-bit integer (a GCC extension) holds the product of two sizes exactly; logarithms would be rounded.
__extension__ using Wide = unsigned __int128;

/// Returns n, or 1 if n is 0, because 0 has no logarithm.
std::uint64_t at_least_1(std::uint64_t n) {
    return std::max<std::uint64_t>(n, 1);
}

/// Returns whether log n - log low < log high - log n. The comparison n * n < low * high is equivalent and exact.
bool nearer_to_low(std::uint64_t low, std::uint64_t n, std::uint64_t high) {
    return Wide{n} * n < Wide{at_least_1(low)} * high;
}

/// Returns the binary logarithm of n; 0 for n = 0.
double log2_of(std::uint64_t n) {
    return std::log2(static_cast<double>(at_least_1(n)));
}

/// Returns the time for n between two tuned sizes, interpolated linearly in log n and log time.
double interpolate_us(const TunedSize& low, const TunedSize& high, std::uint64_t n) {
    const double share = (log2_of(n) - log2_of(low.n)) / (log2_of(high.n) - log2_of(low.n));
    return low.time_us * std::pow(high.time_us / low.time_us, share);
}

/// Returns a Pick of this tuned size with the launches for n; empty if its launch rule gives no plan for n.
std::optional<Pick> pick_if_launchable(MatchKind kind, const TunedSize& tuned, double expected_us, std::uint64_t n,
                                       std::uint64_t row_length) {
    Pick picked{kind, &tuned, expected_us, try_plan(tuned.rule, n, row_length)};
    if (picked.plan.count == 0) return std::nullopt;
    return picked;
}

}  // namespace

std::optional<Pick> pick(std::span<const TunedSize> sizes, std::uint64_t n, std::uint64_t row_length) noexcept {
    if (sizes.empty()) return std::nullopt;
    const auto above = std::lower_bound(sizes.begin(), sizes.end(), n,
                                        [](const TunedSize& size, std::uint64_t asked) { return size.n < asked; });
    if (above == sizes.end()) {
        const TunedSize& last = sizes.back();
        const double scale = static_cast<double>(n) / static_cast<double>(at_least_1(last.n));
        return pick_if_launchable(MatchKind::beyond, last, last.time_us * scale, n, row_length);
    }
    if (above->n == n) return pick_if_launchable(MatchKind::exact, *above, above->time_us, n, row_length);
    if (above == sizes.begin()) return pick_if_launchable(MatchKind::beyond, *above, above->time_us, n, row_length);
    const TunedSize& low = *(above - 1);
    const TunedSize& high = *above;
    const bool low_first = nearer_to_low(low.n, n, high.n);
    const double expected_us = interpolate_us(low, high, n);
    if (auto picked = pick_if_launchable(MatchKind::between, low_first ? low : high, expected_us, n, row_length))
        return picked;
    return pick_if_launchable(MatchKind::between, low_first ? high : low, expected_us, n, row_length);
}

}  // namespace redtune::lookup
