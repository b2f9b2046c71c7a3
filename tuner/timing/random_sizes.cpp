#include "tuner/timing/random_sizes.h"

#include <algorithm>
#include <random>
#include <string>

#include "tuner/core/hash.h"

namespace redtune::timing {

namespace {

constexpr std::uint64_t near_shares = 4;
constexpr std::uint64_t far_shares = 16;

std::uint64_t seed_of(std::string_view configuration) {
    return std::stoull(content_hash(configuration).substr(0, 16), nullptr, 16);
}

}  // namespace

std::array<RandomSize, random_size_count> random_sizes(std::string_view configuration, std::uint64_t share,
                                                       std::uint64_t most) {
    // Uses no distribution of the standard library, because their results differ between implementations.
    std::mt19937_64 random(seed_of(configuration));
    const std::uint64_t start = random();
    std::array<RandomSize, random_size_count> sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool is_aligned = i % 2 == 0;
        const std::size_t turn = i / 2;  // index among the aligned sizes, or among the unaligned ones
        const std::uint64_t shares = turn < random_size_count / 4 ? near_shares : far_shares;
        const std::uint64_t limit =
            std::max<std::uint64_t>(1, std::min(most, std::max(shares * share, 2 * remainder_period)));
        // The eight aligned sizes have consecutive remainders modulo the period, and so have the eight unaligned ones.
        // Eight consecutive numbers have every remainder modulo 2 to 8, and the period is a multiple of 2 to 8.
        const std::uint64_t period = std::min(remainder_period, limit);
        const std::uint64_t remainder = (start % period + turn + (is_aligned ? 0 : random_size_count / 2)) % period;
        const std::uint64_t periods = (limit - 1 - remainder) / period + 1;
        sizes[i].count = 1 + remainder + random() % periods * period;
        sizes[i].offset = is_aligned ? 0 : 1 + random() % max_random_offset;
    }
    return sizes;
}

}  // namespace redtune::timing
