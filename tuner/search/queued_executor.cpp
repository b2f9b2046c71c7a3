#include "tuner/search/queued_executor.h"

#include <utility>

namespace redtune::search {

namespace {

/// The trials of a queue, as long as no request waits for the device.
class WhileNobodyWaits final : public TrialQueue {
  public:
    WhileNobodyWaits(TrialQueue& trials, RequestQueue& requests) : trials_(trials), requests_(requests) {}

    std::optional<TrialRequest> next() override {
        if (taken_ == most_at_a_time || requests_.is_waited_for()) return std::nullopt;
        const auto request = trials_.next();
        taken_ += request ? 1 : 0;
        return request;
    }
    void report(Measurement measurement, bool is_device_busy) override {
        trials_.report(std::move(measurement), is_device_busy);
    }

    bool has_taken() const { return taken_ != 0; }

  private:
    /// After so many, the trials of another thread get their turn.
    static constexpr std::size_t most_at_a_time = 16;

    TrialQueue& trials_;
    RequestQueue& requests_;
    std::size_t taken_ = 0;
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
    const auto screen_ready = [&] {
        WhileNobodyWaits queue(ready.queue, queue_);
        change_data();
        executor_.measure_queue(queue);
        if (ready.queue.is_over()) {
            is_enough = true;
            compile_queue_.wake();
        }
        return queue.has_taken();
    };
    wait_for_kernels(trials, CellKey(ready.n, ready.regime), stop, screen_ready, &is_enough);
}

void QueuedExecutor::wait_for_kernels(std::span<const Trial> trials, const std::optional<CellKey>& cell,
                                      const std::atomic<bool>& stop, std::function<bool()> spare_work,
                                      const std::atomic<bool>* is_enough) {
    bool are_compiled = false;
    {
        RequestQueue::Compiling compiling(queue_, std::move(spare_work));
        are_compiled = compile_queue_.wait_for(trials, cell, is_enough);
        compiling.end();
    }
    const bool are_needed = is_enough == nullptr || !*is_enough;
    if (!are_compiled && are_needed) queue_.run([&] { executor_.prepare(trials, {}, stop); });
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
    queue_.run_trials(queue, data_.name, [&](TrialQueue& chain) {
        change_data();
        executor_.measure_queue(chain);
    });
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
