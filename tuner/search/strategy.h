#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tuner/core/family.h"
#include "tuner/core/measurement.h"
#include "tuner/search/prior.h"
#include "tuner/search/strategy_kind.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::search {

/// The information about a cell that its strategy starts with. The references must outlive the strategy.
struct CellKnowledge {
    const Cell& cell;                      ///< size, regime and trials
    const std::vector<Family>& families;   ///< families of the trials; list the values of each parameter
    const Prior& prior;                    ///< configurations that did well in similar cells
    std::vector<std::size_t> likely = {};  ///< trials that a model expects to be fast, the fastest first (time_model.h)
    std::vector<std::size_t> suggested = {};  ///< trials that look-ups pick in the cell or near it (suggestions.h)
    /// The part of the trials, from 0 to 1, after which an exhaustive search begins. Units that begin at different
    /// trials have fewer of them to check and to compile.
    double begin = 0;
    /// Returns whether the kernels of a trial are compiled, or a compiler was asked for them. Among trials that are
    /// expected to be about equally fast, a strategy may prefer those.
    std::function<bool(std::size_t)> has_kernels = [](std::size_t) { return false; };
};

/// Decides which trials of one cell are screened, and in which order (an ask-and-tell interface).
///
/// The caller first calls tell() for every trial that the database has. Then it calls next() for a batch, measures the
/// trials of the batch, calls tell() or tell_pruned() for each, and calls next() again, until a batch is empty. The
/// trials of a batch do not depend on each other's results: the caller may measure them in any order, or several at
/// once. It may also stop at any time. A trial is identified by its index in the cell's trials.
class Strategy {
  public:
    virtual ~Strategy() = default;

    /// Returns the trials to screen next; an empty list ends the search. The caller skips trials whose result it has
    /// already passed to tell().
    virtual std::vector<std::size_t> next() = 0;

    /// Returns a spare trial: one that is worth a screening besides those of next(), which the caller takes while the
    /// kernels of a batch are compiled. Nullopt if there is none.
    /// @param is_ready whether a trial is neither screened nor in work, and can be screened without waiting for a
    /// compiler
    virtual std::optional<std::size_t> spare(const std::function<bool(std::size_t)>& /*is_ready*/) {
        return std::nullopt;
    }

    /// Tells the strategy the result of a screening, which may have failed. A screening with fewer than
    /// timing::screen_samples samples was stopped early: its time is far from the best, and its median is imprecise.
    virtual void tell(std::size_t trial, const Measurement& screening) = 0;

    /// Tells the strategy that a trial was pruned: it was not measured, because it cannot be the best.
    virtual void tell_pruned(std::size_t trial) = 0;

    /// Returns whether the search has ended, so that the trials of the last batch that have no result need none.
    virtual bool is_over() const { return false; }

    /// Returns whether the caller may prune trials by their lower bound (lower_bound.h) instead of measuring them.
    virtual bool allows_pruning() const = 0;
};

/// Returns a new strategy for one cell.
/// @param seed of strategies that choose at random
std::unique_ptr<Strategy> make_strategy(StrategyKind kind, const CellKnowledge& knowledge, std::uint64_t seed);

/// Returns the strategy that searches the cells of a sweep: the one that the request names, or that of its effort. With
/// a time budget and exhaustive effort it is an evolutionary search, because the time may be over before every trial is
/// screened.
StrategyKind strategy_of(const SweepRequest& request) noexcept;

/// Returns a new strategy of the given effort for one cell.
std::unique_ptr<Strategy> make_strategy(Effort effort, const CellKnowledge& knowledge);

/// Returns a new strategy for one cell of a sweep, with the limit of the request's effort.
std::unique_ptr<Strategy> make_strategy(const SweepRequest& request, const CellKnowledge& knowledge);

/// Returns an estimate of the number of trials of a cell that remain to be screened. The estimate is at most the number
/// of trials without a screening in the database.
std::size_t estimated_screenings(const Cell& cell, const SweepRequest& request);

}  // namespace redtune::search
