#pragma once

#include <cstddef>
#include <vector>

#include "tuner/search/strategy.h"

namespace redtune::search {

/// Screens what the prior points to and a sample, then the neighbours of a beam of the best, again and again as long as
/// that improves the best. Screens every trial of a cell that the plan calls whole, or of which there is no prior.
class QuickStrategy final : public Strategy {
  public:
    explicit QuickStrategy(const CellKnowledge& knowledge);

    std::vector<std::size_t> next() override;
    void tell(std::size_t trial, const Measurement& screening) override;
    void tell_pruned(std::size_t trial) override;
    bool allows_pruning() const override { return true; }

    /// Estimates how many trials are screened of a cell that is not screened whole.
    static std::size_t usual_screenings(bool is_anchor);

  private:
    std::vector<std::size_t> first_batch() const;

    CellKnowledge knowledge_;
    std::vector<double> standings_;  ///< by trial, as neighbours_of_best() takes them
    double best_us_ = 0;             ///< when the last batch was asked for; 0: none
    bool is_whole_;
    bool has_begun_ = false;
};

}  // namespace redtune::search
