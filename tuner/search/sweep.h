#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "db/store.h"
#include "tuner/core/family.h"
#include "tuner/search/executor.h"
#include "tuner/search/history.h"
#include "tuner/search/sweep_plan.h"
#include "tuner/search/sweep_progress.h"
#include "tuner/search/sweep_record.h"
#include "tuner/search/time_budget.h"

namespace redtune::search {

/// Tunes a problem on one device: screens the trials of each size, times the survivors longer, and compares the best of
/// them in interleaved rounds. Then tunes sizes between them, and compares look-ups with a search at sizes that were
/// not tuned. Every measurement is in the database before the next one begins.
class Sweep {
  public:
    /// All arguments except the request must outlive the sweep.
    /// @throws InputError for a size, a regime or a family that the executor refuses.
    Sweep(Executor& executor, db::Store& store, const std::vector<Family>& families, SweepRequest request);
    Sweep(const Sweep&) = delete;
    Sweep& operator=(const Sweep&) = delete;

    const SweepPlan& plan() const { return plan_; }

    /// Returns whether nothing is left to measure.
    bool is_done() const;

    /// Measures what the plan lists. Setting `stop` ends the sweep after the current measurement, or during it if the
    /// executor throws Stopped; every measurement is stored by then.
    /// @throws DeviceError if the device is lost; the trial that lost it is stored as failed.
    SweepResult run(const std::function<void(const SweepProgress&)>& progress, const std::atomic<bool>& stop);

  private:
    void run_stages(SweepRecord& record, ProgressReporter& progress, const TimeBudget& budget,
                    const std::atomic<bool>& stop);
    void prepare(ProgressReporter& progress, const std::atomic<bool>& stop);

    Executor& executor_;
    db::Store& store_;
    const std::vector<Family>& families_;
    SweepRequest request_;
    History history_;
    SweepPlan plan_;
};

}  // namespace redtune::search
