#pragma once

#include "tuner/search/strategy.h"

namespace redtune::search {

/// Screens every trial. The trials of the prior come first: the sooner a good time is known, the more of the other
/// screenings are stopped early.
class ExhaustiveStrategy final : public Strategy {
  public:
    explicit ExhaustiveStrategy(const CellKnowledge& knowledge);

    std::vector<std::size_t> next() override;
    /// Returns the first trial of the later batches that is ready.
    std::optional<std::size_t> spare(const std::function<bool(std::size_t)>& is_ready) override;
    void tell(std::size_t, const Measurement&) override {}
    void tell_pruned(std::size_t) override {}
    bool allows_pruning() const override { return false; }

  private:
    std::vector<std::size_t> order_;
    std::size_t begin_ = 0;  ///< place of the next batch in the order
};

}  // namespace redtune::search
