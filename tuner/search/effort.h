#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace redtune::search {

/// How much of a cell's space is screened.
enum class Effort : std::uint8_t {
    quick,      ///< what did well in cells like it, a sample, and what lies beside the best of these; anchors whole
                ///< where no other problem is known
    exhaustive  ///< all candidates
};

/// @throws InputError with the allowed names.
Effort parse_effort(std::string_view name);

// Of quick effort; docs/method.md explains each.

/// Every so many sizes, in the first regime, is an anchor.
inline constexpr std::ptrdiff_t quick_anchor_step = 4;
/// How many measured cells of the problem, and of how many problems alike, are looked at.
inline constexpr std::size_t quick_neighbours = 3;
inline constexpr std::size_t quick_problems = 4;
/// How near to the best of such a cell is promising.
inline constexpr double quick_within = 1.10;
/// How many promising configurations are screened at most, and about how many of all, as a sample.
inline constexpr std::size_t quick_anchor_promising = 60;
inline constexpr std::size_t quick_anchor_sample = 150;
inline constexpr std::size_t quick_promising = 40;
inline constexpr std::size_t quick_sample = 12;
/// So many of each family are in the sample at least; what lies beside the best of a family is screened, too, where
/// that is this near to the best of all.
inline constexpr std::size_t quick_of_family = 2;
inline constexpr double quick_family_within = 1.2;
/// What lies beside so many of the best is screened, again as long as that finds something this much better.
inline constexpr std::size_t quick_anchor_climbers = 5;
inline constexpr std::size_t quick_climbers = 3;
inline constexpr double quick_improvement = 1.01;

}  // namespace redtune::search
