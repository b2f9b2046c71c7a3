#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tuner/search/capable_executor.h"
#include "tuner/search/worker.h"
#include "tuner/search/worker_limits.h"

namespace redtune::search {

/// Measures in a worker process, so that a trial which hangs, faults, or ends the process that runs it costs only
/// itself: its measurement gets the status fault, timeout or out_of_memory, and a new worker is started for the next
/// request. The first worker is started by the first request or by begin_warm_up().
///
/// A configuration that failed so at two sizes is not run at others: its measurements get the same status. (One failure
/// may have another cause, such as a process that took the memory of the machine.)
///
/// Every request throws Stopped as soon as the stop flag is true. A worker dies with the thread whose request started
/// it.
class WorkerExecutor final : public CapableExecutor {
  public:
    /// @param capabilities what the worker's executor can do; the two must measure on the same device
    /// @param stop becomes true when the sweep is to stop; it must outlive the executor
    WorkerExecutor(std::shared_ptr<const Capabilities> capabilities, const WorkerCommand& command, WorkerTask task,
                   const std::atomic<bool>& stop, const WorkerLimits& limits = {});
    /// @param start starts each worker
    WorkerExecutor(std::shared_ptr<const Capabilities> capabilities, StartWorker start, WorkerTask task,
                   const std::atomic<bool>& stop, const WorkerLimits& limits = {});
    ~WorkerExecutor() override;

    void use_data(const timing::Data& data) override;

    /// As Executor::prepare(). The worker is killed if `stop` becomes true meanwhile. If workers die while they
    /// compile, the kernels that are left are compiled when their trials are measured, so that the trial whose kernel
    /// cannot be compiled is found.
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& stop) override;

    /// @throws ExecutorLost if no worker can be started any more.
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override;

    /// As Executor::measure_queue(). While the worker measures a trial, it has the requests for the next ones. If the
    /// worker is lost, the trial that it measured has failed, and the next worker measures the others.
    void measure_queue(TrialQueue& queue) override;

    /// As Executor::compare(). If the worker is lost, each trial is run alone to find those that fail; the others are
    /// compared again. Trials that are lost only together are measured one after another, without interleaving.
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int rounds) override;

    /// Makes make_compiler() start worker processes that only compile (WorkerTask::compiles_for).
    void let_compile(std::size_t most_compilers) { most_compilers_ = most_compilers; }
    std::size_t most_compilers() const override { return most_compilers_; }
    std::unique_ptr<Executor> make_compiler() override;

    /// Starts a worker, unless there is one.
    void begin_warm_up() override;

    /// Waits until the worker has opened the device, and lets it prepare the device.
    /// @throws ExecutorLost if no worker can be started.
    void warm_up() override { ready_worker(); }

    timing::TimeSpent take_spent() override { return std::exchange(spent_, {}); }

    /// Tells the worker to end.
    void begin_finish() override;

    /// Ends the worker, and kills it if it is busy for longer than some seconds.
    void finish() override;

  private:
    class Comparison;
    class Pipeline;

    Worker& ready_worker();
    std::unique_ptr<Worker> start_worker();
    void open_worker();
    bool is_as_planned(const Opened& opened) const;
    void send_data();
    void end_worker();
    void wait_for_ended_workers();
    void send_preparation(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                          const std::atomic<bool>* stop = nullptr);
    std::vector<Measurement> ask(const WorkerRequest& request, std::span<const Trial> trials, Stage stage,
                                 double limit_s);
    std::vector<Measurement> receive(std::span<const Trial> trials, Stage stage, double limit_s);
    double limit_s(std::span<const Trial> trials, std::uint64_t n, double screenings, bool may_compile = true) const;
    bool is_prepared(const Trial& trial) const;

    /// Returns the measurement of a trial that failed, and remembers the failure.
    Measurement failed(const Trial& trial, std::uint64_t n, Stage stage, const WorkerFailure& failure);
    Measurement failure(Stage stage, Status status, std::string reason) const;
    /// Returns the measurement of a trial that is not run because its configuration failed at two other sizes; empty if
    /// the trial is to be run.
    std::optional<Measurement> known_failure(const Trial& trial, Stage stage) const;

    StartWorker start_;
    WorkerTask task_;
    const std::atomic<bool>& stop_;
    WorkerLimits limits_;
    std::size_t most_compilers_ = 0;
    timing::Data data_;
    timing::TimeSpent spent_;          ///< what workers reported since the last take_spent()
    std::unique_ptr<Worker> opening_;  ///< a worker that was started and has not said yet what it opened
    std::unique_ptr<Worker> worker_;
    std::unique_ptr<Worker> ending_;              ///< a worker that was told to end
    bool is_warm_ = false;                        ///< the worker has prepared the device for measurements
    std::vector<std::unique_ptr<Worker>> ended_;  ///< killed workers that may not have released the device yet
    std::set<std::string> prepared_;              ///< the trials whose kernels are compiled (kernels_of())
    /// The sizes at which a configuration failed, with the statuses.
    std::map<std::string, std::map<std::uint64_t, Status>> failures_;
};

}  // namespace redtune::search
