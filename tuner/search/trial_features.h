#pragma once

#include <cstdint>
#include <span>

#include "tuner/core/trial.h"
#include "tuner/search/prior.h"
#include "tuner/search/regression_forest.h"

namespace redtune::search {

/// Describes the trials of a cell by numbers, one row for each, for a model of their times. The columns are: whether
/// the trial belongs to a family, for each family; the value of each parameter that any of the families has; the
/// threads of a block, the elements of a tile and the bytes in flight of a block; the number of tiles and the share of
/// them that the n elements fill; and how well the configuration did in similar cells. Numbers above 0 are given by
/// their logarithm, names by their place in the alphabet; -1 stands for a parameter that the family does not have.
FeatureMatrix features_of(std::span<const Trial> trials, std::uint64_t n, const Prior& prior);

}  // namespace redtune::search
