// How WorkerExecutor measures the trials of a queue.
#include <deque>
#include <utility>

#include "tuner/search/worker_executor.h"

namespace redtune::search {

/// Keeps the worker busy: while it measures a trial, it has the requests for the next two, so that it can prepare the
/// first of them from the beginning.
class WorkerExecutor::Pipeline {
  public:
    Pipeline(WorkerExecutor& executor, TrialQueue& queue) : executor_(executor), queue_(queue) {}

    void run() {
        try {
            for (take_requests(); !in_hand_.empty(); take_requests()) {
                Measurement measurement = measure_first();
                in_hand_.pop_front();
                queue_.report(std::move(measurement), !in_hand_.empty() && in_hand_.front().is_sent);
            }
        } catch (...) {
            executor_.end_worker();  // it may be measuring a trial of which nobody wants to know any more
            throw;
        }
    }

  private:
    struct InHand {
        TrialRequest request;
        bool is_sent = false;
    };

    void take_requests() {
        while (in_hand_.size() < most_in_hand) {
            const auto request = queue_.next();
            if (!request) return;
            in_hand_.push_back({*request});
        }
    }

    Measurement measure_first() {
        const TrialRequest& first = in_hand_.front().request;
        const Trial& trial = *first.trial;
        if (!in_hand_.front().is_sent) {
            if (auto known = executor_.known_failure(trial, first.stage)) return std::move(*known);
        }
        executor_.ready_worker();
        try {
            send_requests();
            return executor_.receive({&trial, 1}, first.stage, limit_s(first)).front();
        } catch (const WorkerFailure& error) {
            executor_.end_worker();
            for (InHand& each : in_hand_) each.is_sent = false;
            return executor_.failed(trial, first.n, first.stage, error);
        }
    }

    /// Sends the requests that are not sent, up to one that is not to be sent or that cannot be sent.
    void send_requests() {
        for (InHand& each : in_hand_) {
            if (each.is_sent) continue;
            const auto& [trial, n, regime, stage, best_us, skips_hard_sizes, is_compiled] = each.request;
            const MeasureRequest request{*trial, n, regime, stage, best_us, skips_hard_sizes};
            if (&each == &in_hand_.front()) {
                executor_.worker_->send(request, limit_s(each.request));
            } else if (executor_.known_failure(*trial, stage) ||
                       !executor_.worker_->send_ahead(request, limit_s(each.request))) {
                return;
            }
            each.is_sent = true;
        }
    }

    double limit_s(const TrialRequest& request) const {
        return executor_.limit_s({request.trial, 1}, request.n, 1, !request.is_compiled);
    }

    /// The trial that is measured, and the next two.
    static constexpr std::size_t most_in_hand = 3;

    WorkerExecutor& executor_;
    TrialQueue& queue_;
    std::deque<InHand> in_hand_;
};

void WorkerExecutor::measure_queue(TrialQueue& queue) {
    Pipeline(*this, queue).run();
}

}  // namespace redtune::search
