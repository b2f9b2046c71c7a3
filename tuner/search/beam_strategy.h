#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tuner/search/neighbours.h"
#include "tuner/search/strategy.h"

namespace redtune::search {

/// Beam search. Screens the trials of the prior and a sample of all trials. Then screens the neighbours of the best
/// trials (the beam), and repeats this as long as it improves the best time.
class BeamStrategy final : public Strategy {
  public:
    explicit BeamStrategy(const CellKnowledge& knowledge);

    std::vector<std::size_t> next() override;
    void tell(std::size_t trial, const Measurement& screening) override;
    void tell_pruned(std::size_t trial) override;
    bool allows_pruning() const override { return true; }

  private:
    CellKnowledge knowledge_;
    std::optional<Neighbourhood> neighbourhood_;  ///< made when it is first needed
    std::vector<double> standings_;  ///< for each trial: its median in us, `unscreened` or `failed_or_pruned`
    double best_us_ = 0;             ///< best median when the last batch was requested; 0: no trial was ok
    bool has_begun_ = false;
};

}  // namespace redtune::search
