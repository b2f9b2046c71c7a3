#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tuner/core/measurement.h"
#include "tuner/search/executor.h"
#include "tuner/search/prior.h"
#include "tuner/search/sweep_plan.h"
#include "tuner/search/sweep_timing.h"

namespace redtune::search {

/// The current state of a sweep, for a progress line.
struct SweepProgress {
    enum class Phase : std::uint8_t {
        compile,
        measure,
        trial_lost,  ///< a trial failed with a harmful status (core/measurement.h)
        cell_done,
        cell_confirmed,  ///< a cell that another unit had decided was measured on this unit
        unit_lost        ///< the unit can measure no more; the other units go on
    } phase = Phase::measure;
    std::size_t unit = 0;   ///< the unit that this is about, counted from 0
    std::size_t units = 1;  ///< number of units of the sweep
    PrepareProgress compile;
    std::size_t done = 0;  ///< number of trials whose screening was taken or is stored
    std::size_t total = 0;
    std::size_t failed = 0;
    std::size_t stopped_early = 0;
    std::size_t pruned = 0;
    const Cell* cell = nullptr;
    std::string best;  ///< configuration with the best time of the cell so far
    double best_us = 0;
    /// With cell_done or cell_confirmed: the effort of an earlier search whose winner stays, because this one had less;
    /// nullopt: the best configuration is the new winner.
    std::optional<Effort> kept_effort;
    double remaining_s = 0;  ///< estimated seconds for the rest of the plan
    std::string lost;        ///< configuration of the trial that was lost
    std::string reason;      ///< its status and why; or why the unit was lost
};

/// The totals of a finished or interrupted sweep.
struct SweepResult {
    bool interrupted = false;
    bool out_of_time = false;       ///< the time budget was over before everything was measured
    std::size_t lost_units = 0;     ///< units that could not measure until the end; others measured everything
    std::size_t measured = 0;       ///< measurements taken by this run
    std::size_t failed = 0;         ///< trials that failed in this run or before
    std::size_t screened = 0;       ///< number of screenings taken by this run
    std::size_t stopped_early = 0;  ///< screenings of this run that were stopped early
    std::size_t pruned = 0;         ///< trials that were not measured because of their lower bound
    std::size_t without_winner = 0;
    SweepTiming timing;
};

/// Counts the screenings of a sweep and reports its progress.
class ProgressReporter {
  public:
    /// @param units the number of units that measure at the same time
    ProgressReporter(const SweepPlan& plan, std::size_t units, std::function<void(const SweepProgress&)> show);

    /// Counts a screening that was just taken.
    /// @param best_us the best median when the screening began, which decided whether it was stopped early
    /// @param estimate_s the seconds of one unit by which this screening reduces the estimate of its cell, to 0 at
    /// least
    void count_screening(const CellKey& cell, const Measurement& screening, double best_us, double estimate_s);

    /// Counts the rest of a cell's estimate as done.
    void end_estimate(const CellKey& cell);

    /// Returns the estimated seconds of one unit that are left of a cell; 0 for one that is not in the plan.
    double estimate_left(const CellKey& cell) const;

    /// Adds the counts to `progress` and passes it to the function that shows it.
    void report(SweepProgress progress) const;

    /// Reduces the estimate of the rest of the plan. @param unit_s seconds of one unit
    void take_from_estimate(double unit_s);

    SweepResult result;

  private:
    void take_from_cell(const CellKey& cell, double unit_s);

    double remaining_s_;                         ///< estimated seconds for the rest of the plan
    std::map<CellKey, double> of_cells_left_s_;  ///< estimated seconds of one unit for the rest of each cell
    std::size_t units_;
    std::function<void(const SweepProgress&)> show_;
    std::size_t done_ = 0;
    std::size_t total_ = 0;
};

}  // namespace redtune::search
