#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace redtune::timing {

/// A size at which a kernel is checked, and how far its input lies off alignment.
struct RandomSize {
    std::uint64_t count = 0;   ///< elements of a whole array, or rows
    std::uint64_t offset = 0;  ///< elements between an aligned address and the input
};

inline constexpr std::size_t random_size_count = 16;
inline constexpr std::uint64_t max_random_offset = 7;

/// Returns random sizes from 1 to `most`, seeded by `configuration`: each configuration is checked at its own sizes,
/// and every run at the same ones. `share` is the number of elements, or rows, that one block processes per step. Half
/// of the sizes are at most 4 shares, the rest at most 16 (or 2 * remainder_period if that is more), so that both few
/// and many blocks have work. Every second size is aligned.
///
/// The sizes are stratified: both the aligned and the unaligned sizes have every remainder modulo 2 to 8, so that a
/// kernel that is wrong for one remainder cannot pass by luck. This needs `most` to be 2 * remainder_period or more.
std::array<RandomSize, random_size_count> random_sizes(std::string_view configuration, std::uint64_t share,
                                                       std::uint64_t most);

/// The least common multiple of 2 to 8, and of 16.
inline constexpr std::uint64_t remainder_period = 1680;

}  // namespace redtune::timing
