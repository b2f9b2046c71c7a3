#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace redtune {

/// Returns `count` different sizes from `first` to `last`, in ascending order. The probability of a size is
/// proportional to 1 / size, so every octave gets equally many sizes on average, and few of them are powers of two.
///
/// The same arguments give the same sizes on every machine: the C++ standard defines the output of std::mt19937_64, and
/// everything else is integer arithmetic.
/// @param first at least 1
/// @throws InputError if the range has fewer than `count` sizes
std::vector<std::uint64_t> log_uniform_sizes(std::uint64_t first, std::uint64_t last, std::size_t count,
                                             std::uint64_t seed);

}  // namespace redtune
