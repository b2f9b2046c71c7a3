#include "tuner/core/log_uniform_sizes.h"

#include <fmt/format.h>

#include <bit>
#include <random>
#include <set>

#include "redtune/error.h"
#include "redtune/size.h"

namespace redtune {

namespace {

/// Returns one log-uniform size from `first` to `last`, by rejection sampling: an octave and a size in it are drawn
/// uniformly, and the size is accepted with the probability (first size of the octave) / size.
std::uint64_t draw_size(std::mt19937_64& random, std::uint64_t first, std::uint64_t last) {
    const auto least_octave = static_cast<unsigned>(std::bit_width(first) - 1);
    const auto octaves = static_cast<unsigned>(std::bit_width(last) - 1) - least_octave + 1;
    while (true) {
        const std::uint64_t begin = std::uint64_t{1} << (least_octave + random() % octaves);
        const std::uint64_t size = begin + random() % begin;
        if (size >= first && size <= last && random() % size < begin) return size;
    }
}

}  // namespace

std::vector<std::uint64_t> log_uniform_sizes(std::uint64_t first, std::uint64_t last, std::size_t count,
                                             std::uint64_t seed) {
    if (count == 0) return {};
    if (first == 0 || last < first || last - first < count - 1) {
        throw InputError(
            fmt::format("there are fewer than {} sizes from {} to {}; ask for fewer random sizes, or for a "
                        "wider range",
                        count, format_size(first), format_size(last)));
    }
    std::mt19937_64 random(seed);
    std::set<std::uint64_t> sizes;
    while (sizes.size() < count) sizes.insert(draw_size(random, first, last));
    return {sizes.begin(), sizes.end()};
}

}  // namespace redtune
