#include "tuner/search/worker_server.h"

#include <sys/prctl.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "redtune/error.h"
#include "tuner/gpu/driver.h"
#include "tuner/search/request_reader.h"
#include "tuner/search/worker_channel.h"

namespace redtune::search {

namespace {

/// Answers the requests that come from one channel.
class WorkerServer {
  public:
    WorkerServer(int descriptor, const MakeExecutor& make_executor)
        : channel_(descriptor), make_executor_(make_executor) {}

    void run() {
        RequestReader reader(channel_);
        while (const std::optional<WorkerRequest> request = reader.next()) {
            announce(reader.waiting());
            const std::optional<WorkerReply> reply = answer(*request);
            if (reply && channel_.send(to_message(*reply), {}) != WorkerChannel::Outcome::done) return;
            if (reply && is_last(*reply)) return;
        }
    }

  private:
    static bool is_last(const WorkerReply& reply) {
        if (std::holds_alternative<TrialLost>(reply)) return true;
        const auto* failed = std::get_if<RequestFailed>(&reply);
        return failed != nullptr && failed->cause == RequestFailed::Cause::device;
    }

    /// Tells the executor of the next request if it measures a trial.
    void announce(const std::optional<WorkerRequest>& next) {
        const auto* request = next ? std::get_if<MeasureRequest>(&*next) : nullptr;
        if (executor_ == nullptr || request == nullptr) return;
        executor_->expect(request->trial, request->n, request->regime, request->stage);
    }

    /// Returns the reply to a request; empty if it has none.
    std::optional<WorkerReply> answer(const WorkerRequest& request) {
        const bool has_trial =
            std::holds_alternative<MeasureRequest>(request) || std::holds_alternative<CompareRequest>(request);
        const auto lost = [&](Status status, const char* reason) -> WorkerReply {
            if (has_trial) return TrialLost{status, reason};
            return RequestFailed{RequestFailed::Cause::device, reason};
        };
        try {
            return std::visit([&](const auto& each) { return handle(each); }, request);
        } catch (const gpu::OutOfDeviceMemory& error) {
            return lost(Status::out_of_memory, error.what());
        } catch (const std::bad_alloc&) {
            return lost(Status::out_of_memory, "the memory of this machine ran out");
        } catch (const DeviceError& error) {
            return lost(Status::fault, error.what());
        } catch (const CompileError& error) {
            return lost(Status::compile_error, error.what());
        } catch (const InputError& error) {
            return RequestFailed{RequestFailed::Cause::input, error.what()};
        } catch (const std::exception& error) {
            return RequestFailed{RequestFailed::Cause::other, error.what()};
        }
    }

    std::optional<WorkerReply> handle(const OpenRequest& request) {
        executor_.reset();  // before what it refers to is made anew
        task_ = request.task;
        executor_ = make_executor_(task_);
        const DeviceInfo& device = executor_->device();
        return Opened{device.name, device.uuid, executor_->source(), executor_->toolchain()};
    }

    std::optional<WorkerReply> handle(const DataRequest& request) {
        const timing::Data data = timing::parse_data(request.argument, task_.problem);
        executor().use_data(data);
        return DataReady{data.name};
    }

    std::optional<WorkerReply> handle(const PrepareRequest& request) {
        trials_.insert(trials_.end(), request.trials.begin(), request.trials.end());
        if (!request.is_last) return std::nullopt;
        const std::vector<Trial> trials = std::exchange(trials_, {});
        const std::atomic<bool> never = false;
        executor().prepare(
            trials, [&](const PrepareProgress& progress) { channel_.send(to_message(WorkerReply(progress)), {}); },
            never);
        return Prepared{executor().take_spent()};
    }

    std::optional<WorkerReply> handle(const MeasureRequest& request) {
        if (request.skips_hard_sizes) executor().skip_hard_sizes(request.trial);
        Measured measured{
            {executor().measure(request.trial, request.n, request.regime, request.stage, request.best_us)}, {}};
        measured.spent = executor().take_spent();
        return measured;
    }

    std::optional<WorkerReply> handle(const CompareRequest& request) {
        Measured measured{executor().compare(request.trials, request.n, request.regime,
                                             static_cast<int>(std::min<std::uint32_t>(request.rounds, most_rounds))),
                          {}};
        measured.spent = executor().take_spent();
        return measured;
    }

    Executor& executor() {
        if (executor_ == nullptr) throw InputError("the first request must be 'open'");
        return *executor_;
    }

    static constexpr std::uint32_t most_rounds = 1 << 20;

    WorkerChannel channel_;
    const MakeExecutor& make_executor_;
    WorkerTask task_;
    std::unique_ptr<Executor> executor_;
    std::vector<Trial> trials_;  ///< the parts of a preparation that have come
};

}  // namespace

void become_worker() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // SIGTTOU: the worker is not in the terminal's foreground, and must not stop when it prints a warning.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTTOU}) std::signal(signal, SIG_IGN);
}

void serve_worker(int descriptor, const MakeExecutor& make_executor, const std::function<void()>& at_end) {
    WorkerServer server(descriptor, make_executor);
    server.run();
    at_end();
    std::fflush(nullptr);
    std::_Exit(0);
}

}  // namespace redtune::search
