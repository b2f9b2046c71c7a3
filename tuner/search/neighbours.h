#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// What is known of a trial: its median in microseconds, or one of these.
inline constexpr double unscreened = 0;
inline constexpr double failed_or_pruned = -1;

/// Returns the trials that have not been screened and are neighbours of the beam: the best `beam` trials, and the best
/// trial of each family that is nearly as good. Neighbours are of the same family. They differ in one parameter, which
/// has the next value that a trial has; or in two parameters, of which one has the next higher and the other the next
/// lower value.
/// @param standings for each trial, its median or a constant from above
std::vector<std::size_t> neighbours_of_best(const std::vector<Family>& families, std::span<const Trial> trials,
                                            std::span<const double> standings, std::size_t beam);

}  // namespace redtune::search
