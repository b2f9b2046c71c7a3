#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "tuner/core/measurement.h"
#include "tuner/search/executor.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::search {

/// Where a sweep stands, for a progress line.
struct SweepProgress {
    enum class Phase : std::uint8_t { compile, measure, cell_done } phase = Phase::measure;
    PrepareProgress compile;
    std::size_t done = 0;  ///< trials that are screened or stored
    std::size_t total = 0;
    std::size_t failed = 0;
    std::size_t stopped_early = 0;
    std::size_t pruned = 0;
    const Cell* cell = nullptr;
    std::string best;  ///< best configuration of the cell so far
    double best_us = 0;
    double remaining_s = 0;
};

/// What a sweep did.
struct SweepResult {
    bool interrupted = false;
    std::size_t measured = 0;       ///< measurements taken by this run
    std::size_t failed = 0;         ///< trials that failed in this run or before
    std::size_t screened = 0;       ///< screenings taken by this run
    std::size_t stopped_early = 0;  ///< screenings of this run that were stopped early
    std::size_t pruned = 0;         ///< trials that were not measured because of their lower bound
    std::size_t without_winner = 0;
};

/// Counts what a sweep does, and reports it.
class ProgressReporter {
  public:
    ProgressReporter(const SweepPlan& plan, std::function<void(const SweepProgress&)> show);

    /// Counts a screening taken now. `bound_us`: the best median when it began, which it may have been stopped by.
    void count_screening(const Measurement& screening, double bound_us, double estimate_s);

    /// Completes `progress` with the counts and shows it.
    void report(SweepProgress progress) const;

    SweepResult result;
    double remaining_s = 0;  ///< estimate for the rest of the plan

  private:
    std::function<void(const SweepProgress&)> show_;
    std::size_t done_ = 0;
    std::size_t total_ = 0;
};

}  // namespace redtune::search
