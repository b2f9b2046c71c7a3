#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace redtune::search {

/// The share of a cell's trials that is screened.
enum class Effort : std::uint8_t {
    quick,      ///< the trials of the prior, a sample, and neighbours of the best trials (quick_strategy.h)
    exhaustive  ///< every trial (exhaustive_strategy.h)
};

/// Returns the effort of this name.
/// @throws InputError with the allowed names.
Effort parse_effort(std::string_view name);

// Constants of quick effort. docs/method.md explains each of them and says what they were tuned on.

/// Every fourth size of the first regime is an anchor: it is measured before the other cells, and more thoroughly.
inline constexpr std::ptrdiff_t quick_anchor_step = 4;
/// A prior takes configurations from at most quick_nearest_cells other cells of the problem, and from the same cell of
/// at most quick_similar_problems similar problems.
inline constexpr std::size_t quick_nearest_cells = 3;
inline constexpr std::size_t quick_similar_problems = 4;
/// A configuration enters the prior if its time in one of these cells is within this factor of the cell's best time.
inline constexpr double quick_prior_within = 1.10;
/// The first batch of trials of a cell has at most `from_prior` configurations of the prior and a stratified sample of
/// about `sample` trials. Anchors have larger batches than other cells.
inline constexpr std::size_t quick_anchor_from_prior = 60;
inline constexpr std::size_t quick_anchor_sample = 150;
inline constexpr std::size_t quick_from_prior = 40;
inline constexpr std::size_t quick_sample = 12;
/// The sample has at least this many trials of each family.
inline constexpr std::size_t quick_sample_of_family = 2;
/// The best trial of a family joins the beam if its time is within this factor of the cell's best time.
inline constexpr double quick_family_within = 1.2;
/// Size of the beam, the best trials, whose neighbours are screened next. The search of a cell ends when screening them
/// improves the best time by less than the factor quick_improvement.
inline constexpr std::size_t quick_anchor_beam = 5;
inline constexpr std::size_t quick_beam = 3;
inline constexpr double quick_improvement = 1.01;

}  // namespace redtune::search
