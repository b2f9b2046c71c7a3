#include "tuner/search/turn_taking_executor.h"

#include <utility>

namespace redtune::search {

namespace {

/// Unlocks a lock for the life of the object, and locks it again even if a request throws.
class WithoutTurn {
  public:
    explicit WithoutTurn(std::unique_lock<std::mutex>& turn) : turn_(turn) { turn_.unlock(); }
    ~WithoutTurn() { turn_.lock(); }
    WithoutTurn(const WithoutTurn&) = delete;
    WithoutTurn& operator=(const WithoutTurn&) = delete;

  private:
    std::unique_lock<std::mutex>& turn_;
};

/// A queue whose functions are called with the turn, perhaps by another thread.
class TurnTakingQueue final : public TrialQueue {
  public:
    TurnTakingQueue(TrialQueue& queue, std::mutex& turn, SweepClock& clock)
        : queue_(queue), turn_(turn), clock_(clock) {}

    std::optional<TrialRequest> next() override {
        const std::lock_guard has_turn(turn_);
        const auto request = queue_.next();
        if (request) clock_.count_timed(request->stage, 1);
        return request;
    }

    void report(Measurement measurement, bool is_device_busy) override {
        const std::lock_guard has_turn(turn_);
        // While the device measures another trial, it does not wait for what the report takes.
        const timing::TimeAccount::Pause pause(is_device_busy ? &clock_.account() : nullptr);
        queue_.report(std::move(measurement), is_device_busy);
    }

    bool is_over() override {
        const std::lock_guard has_turn(turn_);
        return queue_.is_over();
    }

  private:
    TrialQueue& queue_;
    std::mutex& turn_;
    SweepClock& clock_;
};

}  // namespace

void TurnTakingExecutor::use_data(const timing::Data& data) {
    const WithoutTurn given_away(turn_);
    executor_.use_data(data);
}

void TurnTakingExecutor::prepare(std::span<const Trial> trials,
                                 const std::function<void(const PrepareProgress&)>& progress,
                                 const std::atomic<bool>& stop) {
    if (trials.empty()) return;
    compile(progress, [&](const auto& report) { executor_.prepare(trials, report, stop); });
}

void TurnTakingExecutor::prepare_and_screen(std::span<const Trial> trials,
                                            const std::function<void(const PrepareProgress&)>& progress,
                                            const std::atomic<bool>& stop, const ReadyTrials& ready) {
    if (trials.empty()) return;
    TurnTakingQueue with_turn(ready.queue, *turn_.mutex(), clock_);
    compile(progress, [&](const auto& report) {
        executor_.prepare_and_screen(trials, report, stop, {ready.n, ready.regime, with_turn});
    });
}

void TurnTakingExecutor::compile(const ReportProgress& progress,
                                 const std::function<void(const ReportProgress&)>& compile) {
    PrepareProgress last;
    const auto report = [&](const PrepareProgress& now) {
        const std::lock_guard has_turn(*turn_.mutex());
        last = now;
        if (now.done != 0) clock_.first_kernel_is_ready();
        if (progress) progress(now);
    };
    {
        const WithoutTurn given_away(turn_);
        compile(report);
    }
    clock_.first_kernel_is_ready();
    clock_.count_compiled(last);
}

Measurement TurnTakingExecutor::measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage,
                                        double best_us) {
    clock_.first_kernel_is_ready();
    clock_.count_timed(stage, 1);
    const WithoutTurn given_away(turn_);
    return executor_.measure(trial, n, regime, stage, best_us);
}

void TurnTakingExecutor::measure_queue(TrialQueue& queue) {
    clock_.first_kernel_is_ready();
    TurnTakingQueue with_turn(queue, *turn_.mutex(), clock_);
    const WithoutTurn given_away(turn_);
    executor_.measure_queue(with_turn);
}

std::vector<Measurement> TurnTakingExecutor::compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                                     int rounds) {
    clock_.first_kernel_is_ready();
    clock_.count_timed(Stage::final, trials.size());
    const WithoutTurn given_away(turn_);
    return executor_.compare(trials, n, regime, rounds);
}

void TurnTakingExecutor::aside(const std::function<void()>& work) {
    const WithoutTurn given_away(turn_);
    executor_.aside(work);
}

void TurnTakingExecutor::begin_finish() {
    const WithoutTurn given_away(turn_);
    executor_.begin_finish();
}

}  // namespace redtune::search
