#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "redtune/error.h"
#include "redtune/problem.h"
#include "tuner/core/measurement.h"
#include "tuner/core/trial.h"
#include "tuner/search/capabilities.h"
#include "tuner/search/trial_queue.h"
#include "tuner/timing/data.h"
#include "tuner/timing/time_account.h"

namespace redtune::search {

class CompileQueue;

/// The numbers of kernels that a preparation has compiled so far (`done`) and will compile (`total`). `done` includes
/// those that came from the cache and those that failed.
struct PrepareProgress {
    std::size_t done = 0;
    std::size_t total = 0;
    std::size_t from_cache = 0;
    std::size_t failed = 0;

    PrepareProgress& operator+=(const PrepareProgress& other) {
        done += other.done;
        total += other.total;
        from_cache += other.from_cache;
        failed += other.failed;
        return *this;
    }
    friend bool operator==(const PrepareProgress&, const PrepareProgress&) = default;
};

/// The sweep was stopped while a request waited for its answer. Nothing was measured.
class Stopped : public Error {
  public:
    Stopped() : Error("the sweep was stopped") {}
};

/// Trials of one size that may be screened while other kernels are compiled.
struct ReadyTrials {
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    TrialQueue& queue;
};

/// Nothing can be measured any more, for a reason that is not a trial's fault.
class ExecutorLost : public DeviceError {
  public:
    using DeviceError::DeviceError;
};

/// Measures trials of one problem: on a GPU, or by replaying a recording; in this process or in another. The search
/// does not know which. Not thread-safe.
///
/// Every function that measures throws Stopped if the sweep is to stop and the executor does not wait for the
/// measurement to end.
class Executor : public Capabilities {
  public:
    /// Fills the inputs of later calls of measure() and compare() with this data. Before the first call the data is
    /// uniform. offers_data(data) must be true.
    virtual void use_data(const timing::Data& data) = 0;

    /// Compiles the kernels of the trials that are not compiled yet, so that nothing compiles while times are taken.
    /// Trials that do not compile fail when they are measured.
    virtual void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                         const std::atomic<bool>& stop) = 0;

    /// As prepare(). An executor that compiles in another process screens trials of `ready` meanwhile, as
    /// measure_queue() does, while the device has nothing else to do. It waits for no more kernels as soon as the queue
    /// is over. All trials that were taken have their measurements when the function returns.
    /// @throws what measure_queue() throws, too
    virtual void prepare_and_screen(std::span<const Trial> trials,
                                    const std::function<void(const PrepareProgress&)>& progress,
                                    const std::atomic<bool>& stop, const ReadyTrials& /*ready*/) {
        prepare(trials, progress, stop);
    }

    /// Returns the queue that knows which kernels are compiled; null if there is none.
    virtual const CompileQueue* compile_queue() const { return nullptr; }

    /// Calls a function that takes some milliseconds, measures nothing, and uses only objects that no other thread
    /// uses, so that the device can measure for other threads meanwhile.
    virtual void aside(const std::function<void()>& work) { work(); }

    /// Checks and times one trial. If the trial fails, the measurement's status and reason say why.
    /// @param best_us the best median so far: a trial that is much slower (timing/early_stop.h) is stopped early and
    /// has fewer samples. With 0 no trial is stopped early.
    /// @throws DeviceError if the device itself is lost; ExecutorLost if that is not the trial's fault.
    virtual Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) = 0;

    /// Says that the results of this configuration are right at the sizes at which kernels are most often wrong: they
    /// were checked on a device of this model. measure() then checks the configuration only at the size that it
    /// measures.
    virtual void skip_hard_sizes(const Trial&) {}

    /// Says that the call of measure() after the next one will probably be this one, so that its kernel can be loaded
    /// while the next call measures.
    virtual void expect(const Trial& /*trial*/, std::uint64_t /*n*/, Regime /*regime*/, Stage /*stage*/) {}

    /// Measures the trials of a queue, one after another, until it has no next one. An executor with a worker process
    /// asks for the next trials while one is measured, so that the device need not wait for them.
    /// @throws what measure(), next() and report() throw. Trials that next() returned may then have no measurement; the
    /// first of these is the one that measure() failed for.
    virtual void measure_queue(TrialQueue& queue) {
        while (const auto request = queue.next()) {
            if (request->skips_hard_sizes) skip_hard_sizes(*request->trial);
            queue.report(measure(*request->trial, request->n, request->regime, request->stage, request->best_us),
                         false);
        }
    }

    /// Times trials in interleaved rounds, so that sample i of each was taken next to sample i of the others.
    /// @param rounds number of samples of each trial; a replay returns all samples that were recorded
    virtual std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                             int rounds) = 0;

    /// Returns how many executors that make_compiler() returns may compile at a time without disturbing what this one
    /// measures; 0: it returns none.
    virtual std::size_t most_compilers() const { return 0; }

    /// Returns an executor of the same device and problem that only compiles: its prepare() puts kernels into the
    /// cache, in another process. It may be used by another thread, which also destroys it.
    virtual std::unique_ptr<Executor> make_compiler() { return nullptr; }

    /// Begins to acquire what measurements need, and returns at once.
    virtual void begin_warm_up() {}

    /// Acquires what measurements need, so that the first one need not wait for it.
    virtual void warm_up() {}

    /// Returns what the executor spent wall time on since the last call, from the first kernel on that it compiled or
    /// took from the cache. An executor that does not know returns zeros.
    virtual timing::TimeSpent take_spent() { return {}; }

    /// Begins to free what the executor holds for further requests; the next request acquires it anew. A thread that
    /// measures calls it before it ends, because what an executor holds may not outlive the thread.
    virtual void begin_finish() {}

    /// Calls begin_finish() and waits until all is freed. So does the destructor.
    virtual void finish() {}
};

}  // namespace redtune::search
