#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "tuner/search/regression_forest.h"
#include "tuner/search/strategy.h"

namespace redtune::search {

/// A model (a surrogate) of the times of a cell's trials: a forest of regression trees that learns the logarithms of
/// the times so far.
class SurrogateModel {
  public:
    /// @param knowledge its trials must outlive the object
    SurrogateModel(const CellKnowledge& knowledge, std::uint64_t seed);

    /// Returns at most `count` unscreened trials: those with the least lower confidence bound (predicted mean minus a
    /// part of the deviation of the trees), and then the best of each family that is not among them. The bounds of
    /// trials whose kernels must be compiled count as a little higher.
    /// @param standings for each trial, its median in us, `unscreened` or `failed_or_pruned`; at least one has a time
    /// @param is_requested for each trial, whether it is left out
    std::vector<std::size_t> lowest_bounds(std::span<const double> standings, const std::vector<bool>& is_requested,
                                           std::size_t count);

  private:
    std::span<const Trial> trials_;
    FeatureMatrix features_;
    std::function<bool(std::size_t)> has_kernels_;
    std::mt19937_64 random_;
};

}  // namespace redtune::search
