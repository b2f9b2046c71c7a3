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
/// count, spare and pruned trials do not. With `no_limit` no trial is pruned, so that exhaustive effort measures every
/// trial whatever the strategy. The part of a batch that exceeds the limit comes next if trials of the other part are
/// pruned.
class LimitedStrategy final : public Strategy {
  public:
    /// @param most_screenings the limit
    /// @param most_with_spares the most screenings in all, spare ones included
    LimitedStrategy(std::unique_ptr<Strategy> strategy, std::size_t most_screenings,
                    std::size_t most_with_spares = no_limit)
        : strategy_(std::move(strategy)), most_screenings_(most_screenings), most_with_spares_(most_with_spares) {}

    std::vector<std::size_t> next() override;
    std::optional<std::size_t> spare(const std::function<bool(std::size_t)>& is_ready) override;
    void tell(std::size_t trial, const Measurement& screening) override;
    void tell_pruned(std::size_t trial) override { strategy_->tell_pruned(trial); }
    bool allows_pruning() const override { return most_screenings_ != no_limit && strategy_->allows_pruning(); }

  private:
    bool may_spare() const;

    std::unique_ptr<Strategy> strategy_;
    std::size_t most_screenings_;
    std::size_t most_with_spares_;
    std::size_t screenings_ = 0;    ///< without spare ones
    std::set<std::size_t> spares_;  ///< trials that spare() has returned
    std::vector<std::size_t> cut_;  ///< trials that the strategy asked for and next() has not returned
};

}  // namespace redtune::search
