#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "db/store.h"
#include "tuner/core/family.h"
#include "tuner/search/executor.h"
#include "tuner/search/prior.h"
#include "tuner/search/sweep_plan.h"
#include "tuner/search/sweep_progress.h"

namespace redtune::search {

class History;
struct SweepContext;

/// Tunes a problem on one device: screens the trials of each size, times the survivors longer, and compares the best of
/// them in interleaved rounds. Then tunes sizes between them, and compares look-ups with a search at sizes that were
/// not tuned. Every measurement is in the database before the one after the next begins.
///
/// Several units of the device can share the work: each requested size is searched by one unit, and its finalists are
/// timed on all others, so that the winner is chosen over all units.
class Sweep {
  public:
    /// All arguments except the request must outlive the sweep.
    /// @throws InputError for a size, a regime or a family that the executor refuses.
    Sweep(Executor& executor, db::Store& store, const std::vector<Family>& families, SweepRequest request);

    /// A sweep on several units, whose executors have the same device but for its UUID, and the same toolchain.
    /// @param turn sweeps that run at the same time over one store share this mutex (division.h)
    Sweep(const std::vector<Executor*>& units, db::Store& store, const std::vector<Family>& families,
          SweepRequest request, std::mutex& turn);
    ~Sweep();
    Sweep(const Sweep&) = delete;
    Sweep& operator=(const Sweep&) = delete;

    const SweepPlan& plan() const { return plan_; }

    /// Returns whether nothing is left to measure.
    bool is_done() const;

    /// Measures what the plan lists. Setting `stop` ends the sweep after the current measurement, or during it if the
    /// executor throws Stopped; every measurement is stored by then. One unit measures in the calling thread; several
    /// have a thread each, and `progress` is called by one of them at a time.
    /// @throws DeviceError if the device is lost; the trial that lost it is stored as failed. Of several units, if all
    /// are lost.
    SweepResult run(const std::function<void(const SweepProgress&)>& progress, const std::atomic<bool>& stop);

  private:
    struct Unit;
    struct Run;

    void plan_for_all_units();
    std::vector<const History*> histories() const;
    void run_in_threads(Run& run);
    void run_unit(Unit& unit, Run& run, std::unique_lock<std::mutex>& turn);
    void run_or_lose_unit(Unit& unit, Run& run, std::unique_lock<std::mutex>& turn);
    void run_stages(const SweepContext& context, Run& run, std::unique_lock<std::mutex>& turn);
    std::vector<CellKey> cells_in_order() const;
    std::vector<std::vector<Trial>> trials_to_compile(const SweepContext& context) const;
    double begin_of_search(const SweepContext& context) const;
    std::map<CellKey, const Cell*> cells_by_key() const;
    void run_cells(const SweepContext& context);
    void prepare(const SweepContext& context, Run& run);

    db::Store& store_;
    const std::vector<Family>& families_;
    SweepRequest request_;
    std::unique_ptr<std::mutex> own_turn_;  ///< of a sweep that shares its store with no other
    std::mutex& turn_;
    std::vector<std::unique_ptr<Unit>> units_;
    SweepPlan plan_;
};

}  // namespace redtune::search
