#pragma once

#include <cstddef>
#include <vector>

#include "tuner/search/strategy.h"

namespace redtune::search {

/// Screens the trials of the prior and a sample of the others, then the neighbours of a beam of the best trials, again
/// and again as long as that improves the best time. Screens every trial if the plan marks the cell as whole, or if the
/// prior is empty.
class QuickStrategy final : public Strategy {
  public:
    explicit QuickStrategy(const CellKnowledge& knowledge);

    std::vector<std::size_t> next() override;
    void tell(std::size_t trial, const Measurement& screening) override;
    void tell_pruned(std::size_t trial) override;
    bool allows_pruning() const override { return true; }

    /// Returns an estimate of the number of trials that are screened in a cell that is not marked as whole.
    static std::size_t usual_screenings(bool is_anchor);

  private:
    std::vector<std::size_t> first_batch() const;

    CellKnowledge knowledge_;
    std::vector<double> standings_;  ///< for each trial, as in neighbours_of_best()
    double best_us_ = 0;             ///< best median when the last batch was requested; 0: no trial was ok
    bool is_whole_;
    bool has_begun_ = false;
};

}  // namespace redtune::search
