#pragma once

#include <functional>
#include <mutex>

#include "tuner/search/capable_executor.h"
#include "tuner/search/sweep_clock.h"

namespace redtune::search {

/// Passes requests on to an executor of this thread, and gives the thread's turn (division.h) away until they are
/// answered, so that the other units of a sweep go on meanwhile. Tells the unit's clock what is compiled and timed.
class TurnTakingExecutor final : public CapableExecutor {
  public:
    /// @param turn is locked whenever a function is called. All arguments must outlive the object.
    TurnTakingExecutor(Executor& executor, std::unique_lock<std::mutex>& turn, SweepClock& clock)
        : CapableExecutor(executor), executor_(executor), turn_(turn), clock_(clock) {}

    void use_data(const timing::Data& data) override;
    /// As Executor::prepare(). The thread has the turn when `progress` is called.
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& stop) override;
    /// As Executor::prepare_and_screen(). The thread has the turn when `progress` or a function of the queue is called.
    void prepare_and_screen(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                            const std::atomic<bool>& stop, const ReadyTrials& ready) override;
    const CompileQueue* compile_queue() const override { return executor_.compile_queue(); }
    /// The thread does not have the turn while it is in `work`.
    void aside(const std::function<void()>& work) override;
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override;
    /// As Executor::measure_queue(). The thread has the turn when a function of the queue is called.
    void measure_queue(TrialQueue& queue) override;
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int rounds) override;
    timing::TimeSpent take_spent() override { return executor_.take_spent(); }
    void begin_finish() override;

  private:
    using ReportProgress = std::function<void(const PrepareProgress&)>;

    /// Gives the turn away, calls `compile` with a function that reports its progress, and counts what it compiled.
    void compile(const ReportProgress& progress, const std::function<void(const ReportProgress&)>& compile);

    Executor& executor_;
    std::unique_lock<std::mutex>& turn_;
    SweepClock& clock_;
};

}  // namespace redtune::search
