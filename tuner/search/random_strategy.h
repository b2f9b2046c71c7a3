#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tuner/search/strategy.h"

namespace redtune::search {

/// Screens every trial, in an order that is drawn from a seed. It is what other strategies are compared with.
class RandomStrategy final : public Strategy {
  public:
    RandomStrategy(const CellKnowledge& knowledge, std::uint64_t seed);

    std::vector<std::size_t> next() override;
    void tell(std::size_t, const Measurement&) override {}
    void tell_pruned(std::size_t) override {}
    bool allows_pruning() const override { return true; }

  private:
    std::vector<std::size_t> order_;  ///< empty after the first call of next()
};

}  // namespace redtune::search
