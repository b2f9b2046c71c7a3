#include "tuner/search/queued_executor.h"

namespace redtune::search {

void QueuedExecutor::change_data() {
    if (in_use_.name == data_.name) return;
    executor_.use_data(data_);
    in_use_ = data_;
}

void QueuedExecutor::prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                             const std::atomic<bool>& stop) {
    if (compiler_ != nullptr) {
        const RequestQueue::Compiling compiling(queue_);
        const auto report = [&](const PrepareProgress& now) {
            if (now.done != 0) queue_.first_kernel_is_ready();
            if (progress) progress(now);
        };
        compilation_.prepare(*compiler_, trials, report, stop);
    }
    queue_.run([&] { executor_.prepare(trials, {}, stop); });
}

Measurement QueuedExecutor::measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) {
    Measurement measurement;
    queue_.run([&] {
        change_data();
        measurement = executor_.measure(trial, n, regime, stage, best_us);
    });
    return measurement;
}

void QueuedExecutor::screen(std::uint64_t n, Regime regime, ScreeningQueue& queue) {
    queue_.run([&] {
        change_data();
        executor_.screen(n, regime, queue);
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
