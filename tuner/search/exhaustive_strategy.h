#pragma once

#include "tuner/search/strategy.h"

namespace redtune::search {

/// Screens every trial, those of the prior first, so that the others are stopped early.
class ExhaustiveStrategy final : public Strategy {
  public:
    explicit ExhaustiveStrategy(const CellKnowledge& knowledge);

    std::vector<std::size_t> next() override;
    void tell(std::size_t, const Measurement&) override {}
    void tell_pruned(std::size_t) override {}
    bool allows_pruning() const override { return false; }

  private:
    std::vector<std::size_t> order_;  ///< empty once it was asked for
};

}  // namespace redtune::search
