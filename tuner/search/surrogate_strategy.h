#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tuner/search/random_trials.h"
#include "tuner/search/strategy.h"
#include "tuner/search/surrogate_model.h"

namespace redtune::search {

/// Search by a model of the times. The first batch has the best trials of the prior and random ones. Each later batch
/// has trials that the model expects to be fast, and random ones, which it did not choose. The search ends when every
/// trial has been screened.
class SurrogateStrategy final : public Strategy {
  public:
    SurrogateStrategy(const CellKnowledge& knowledge, std::uint64_t seed);

    std::vector<std::size_t> next() override;
    void tell(std::size_t trial, const Measurement& screening) override;
    void tell_pruned(std::size_t trial) override;
    bool allows_pruning() const override { return true; }

  private:
    bool is_left(std::size_t trial) const;

    SurrogateModel model_;
    std::vector<std::size_t> first_;  ///< trials of the prior, which begin the first batch
    std::vector<double> standings_;   ///< for each trial: its median in us, `unscreened` or `failed_or_pruned`
    std::vector<bool> is_requested_;  ///< for each trial, whether next() has returned it
    RandomTrials random_order_;
};

}  // namespace redtune::search
