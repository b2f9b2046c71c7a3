#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tuner/search/strategy.h"

namespace redtune::search {

/// Ends another strategy's search of a cell when a number of trials has been screened. Screenings in the database
/// count; two spare ones count as one, because the compiler chose them as much as the strategy did; pruned trials do
/// not count. The search may end within a batch, but not before most of a first batch is screened. With `no_limit` no
/// trial is pruned, so that exhaustive effort measures every trial whatever the strategy. The part of a batch that
/// exceeds the limit comes next if trials of the other part are pruned.
class LimitedStrategy final : public Strategy {
  public:
    /// @param most_screenings the limit
    LimitedStrategy(std::unique_ptr<Strategy> strategy, std::size_t most_screenings)
        : strategy_(std::move(strategy)), most_screenings_(most_screenings) {}

    std::vector<std::size_t> next() override;
    std::optional<std::size_t> spare(const std::function<bool(std::size_t)>& is_ready) override;
    void tell(std::size_t trial, const Measurement& screening) override;
    void tell_pruned(std::size_t trial) override;
    bool is_over() const override;
    bool allows_pruning() const override { return most_screenings_ != no_limit && strategy_->allows_pruning(); }

  private:
    std::size_t left() const;

    std::unique_ptr<Strategy> strategy_;
    std::size_t most_screenings_;
    std::set<std::size_t> screened_;  ///< without spare ones
    std::set<std::size_t> spares_;    ///< trials that spare() has returned
    std::vector<std::size_t> cut_;    ///< trials that the strategy asked for and next() has not returned
};

}  // namespace redtune::search
