#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// The standing of a trial in the search: its median in microseconds, or one of these constants.
inline constexpr double unscreened = 0;
inline constexpr double failed_or_pruned = -1;

/// Returns the trials that have not been screened and are neighbours of the beam: the best `beam` trials, and the best
/// trial of each family that is nearly as good.
///
/// Neighbours belong to the same family. They differ in one parameter and have the nearest values of it that exist in
/// trials, or they differ in two parameters: one of them has the next higher value in the list of its values, the other
/// the next lower one.
/// @param standings for each trial, its median in us, `unscreened` or `failed_or_pruned`
std::vector<std::size_t> neighbours_of_best(const std::vector<Family>& families, std::span<const Trial> trials,
                                            std::span<const double> standings, std::size_t beam);

}  // namespace redtune::search
