#include "tuner/search/queued_executor.h"

#include <functional>
#include <utility>

namespace redtune::search {

namespace {

/// Trials of another queue. It says when that queue is over.
class WatchedQueue final : public TrialQueue {
  public:
    /// @param over is called when the other queue is over
    WatchedQueue(TrialQueue& trials, std::function<void()> over) : trials_(trials), over_(std::move(over)) {}

    std::optional<TrialRequest> next() override {
        auto request = trials_.next();
        if (!request && trials_.is_over()) over_();
        return request;
    }
    void report(Measurement measurement, bool is_device_busy) override {
        trials_.report(std::move(measurement), is_device_busy);
    }

  private:
    TrialQueue& trials_;
    std::function<void()> over_;
};

}  // namespace

void QueuedExecutor::change_data() {
    if (in_use_.name == data_.name) return;
    executor_.use_data(data_);
    in_use_ = data_;
}

void QueuedExecutor::prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>&,
                             const std::atomic<bool>& stop) {
    wait_for_kernels(trials, std::nullopt, stop);
}

void QueuedExecutor::prepare_and_screen(std::span<const Trial> trials,
                                        const std::function<void(const PrepareProgress&)>&,
                                        const std::atomic<bool>& stop, const ReadyTrials& ready) {
    std::atomic<bool> is_enough = false;
    WatchedQueue spare(ready.queue, [&] {
        is_enough = true;
        compile_queue_.wake();
    });
    wait_for_kernels(trials, CellKey(ready.n, ready.regime), stop, on_own_data(spare), &is_enough);
}

void QueuedExecutor::wait_for_kernels(std::span<const Trial> trials, const std::optional<CellKey>& cell,
                                      const std::atomic<bool>& stop, std::optional<ClientTrials> spare,
                                      const std::atomic<bool>* is_enough) {
    bool are_compiled = false;
    {
        RequestQueue::Compiling compiling(queue_, std::move(spare));
        are_compiled = compile_queue_.wait_for(trials, cell, is_enough);
        compiling.end();
    }
    const bool are_needed = is_enough == nullptr || !*is_enough;
    if (!are_compiled && are_needed) queue_.run([&] { executor_.prepare(trials, {}, stop); });
}

ClientTrials QueuedExecutor::on_own_data(TrialQueue& trials) {
    return {&trials, data_.name, [this](TrialQueue& chain) {
                change_data();
                executor_.measure_queue(chain);
            }};
}

Measurement QueuedExecutor::measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) {
    Measurement measurement;
    queue_.run([&] {
        change_data();
        measurement = executor_.measure(trial, n, regime, stage, best_us);
    });
    return measurement;
}

void QueuedExecutor::measure_queue(TrialQueue& queue) {
    queue_.run_trials(on_own_data(queue));
}

std::vector<Measurement> QueuedExecutor::compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                                 int rounds) {
    std::vector<Measurement> measurements;
    queue_.run([&] {
        change_data();
        measurements = executor_.compare(trials, n, regime, rounds);
    });
    return measurements;
}

}  // namespace redtune::search
