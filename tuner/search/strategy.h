#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/core/measurement.h"
#include "tuner/search/prior.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::search {

/// What a strategy knows of a cell beforehand. The references must outlive the strategy.
struct CellKnowledge {
    const Cell& cell;                     ///< size, regime and trials
    const std::vector<Family>& families;  ///< the values of each parameter, in order
    const Prior& prior;                   ///< what did well in similar cells
};

/// Decides which trials of one cell are screened, and in which order: ask and tell.
///
/// The caller tells what the database has, then asks for a batch, tells what became of each of its trials, and asks for
/// the next batch, until a batch is empty. The trials of a batch do not depend on each other's results: the caller may
/// measure them in any order, or several at once. It may also stop at any time, when a budget is spent. A trial is
/// named by its index in the cell's trials.
class Strategy {
  public:
    virtual ~Strategy() = default;

    /// Returns the trials to screen next; empty ends the search. A trial that was told already is not measured again.
    virtual std::vector<std::size_t> next() = 0;

    /// Takes note of a screening, whatever its status. One with fewer than timing::screen_samples samples was stopped
    /// early: its median is only known to be far from the best.
    virtual void tell(std::size_t trial, const Measurement& screening) = 0;

    /// Takes note that a trial was pruned: it was not measured, because it cannot be the best.
    virtual void tell_pruned(std::size_t trial) = 0;

    /// Returns whether the caller may prune trials by their lower bound (lower_bound.h) instead of measuring them.
    virtual bool allows_pruning() const = 0;
};

/// Makes the strategy of an effort for one cell.
std::unique_ptr<Strategy> make_strategy(Effort effort, const CellKnowledge& knowledge);

/// Estimates how many trials of a cell are still to be screened, at most.
std::size_t most_screenings(const Cell& cell, Effort effort);

}  // namespace redtune::search
