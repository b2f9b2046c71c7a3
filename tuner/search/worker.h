#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "redtune/error.h"
#include "tuner/search/worker_process.h"
#include "tuner/search/worker_protocol.h"

namespace redtune::search {

/// A worker did not answer a request as it should: it ended, was silent for too long, sent something else than the
/// reply, or said that its device is unusable. It must not be used any more.
class WorkerFailure : public Error {
  public:
    WorkerFailure(Status status, const std::string& reason) : Error(reason), status_(status) {}
    /// Returns the status of a trial whose request this was: fault, timeout, out_of_memory or compile_error.
    Status status() const { return status_; }

  private:
    Status status_;
};

/// A running worker process. Not thread-safe.
///
/// If the connection is closed and that is not the fault of what was asked (WorkerLink::blameless_loss()), all requests
/// throw ExecutorLost.
class Worker {
  public:
    /// Starts the process. `stop` must outlive it.
    /// @throws DeviceError if the program cannot be started.
    Worker(const WorkerCommand& command, const std::atomic<bool>& stop)
        : Worker(std::make_unique<WorkerProcess>(command), stop) {}
    /// Uses a worker that is running. `stop` must outlive the object.
    Worker(std::unique_ptr<WorkerLink> link, const std::atomic<bool>& stop) : link_(std::move(link)), stop_(stop) {}

    /// Sends a request when no reply is awaited.
    /// @throws Stopped if `stop` becomes true; WorkerFailure
    void send(const WorkerRequest& request, double limit_s);

    /// Sends a request although the replies to earlier ones are awaited. The worker answers in the order of the
    /// requests.
    /// @return false if the request could not be sent; receive() will say why
    /// @throws Stopped if `stop` becomes true
    bool send_ahead(const WorkerRequest& request, double limit_s);

    /// Returns the reply to the first request that has none yet.
    /// @param limit_s the time limit; after progress, it begins again
    /// @param also null, or a second flag, which ends the wait as `stop` does
    /// @throws Stopped if `stop` becomes true; WorkerFailure; InputError or Error if the request failed with it
    template <class Reply>
    Reply receive(double limit_s, const std::function<void(const PrepareProgress&)>& progress = {},
                  const std::atomic<bool>* also = nullptr) {
        WorkerReply reply = next_reply(limit_s, std::is_same_v<Reply, Prepared>, progress, also);
        if (auto* expected = std::get_if<Reply>(&reply)) return std::move(*expected);
        throw WorkerFailure(Status::fault, "the worker process gave the reply to another request");
    }

    /// Calls send() and receive().
    template <class Reply>
    Reply ask(const WorkerRequest& request, double limit_s,
              const std::function<void(const PrepareProgress&)>& progress = {},
              const std::atomic<bool>* also = nullptr) {
        send(request, limit_s);
        return receive<Reply>(limit_s, progress, also);
    }

    WorkerLink& link() { return *link_; }

  private:
    /// Returns the next reply that is no progress. @param has_progress whether progress may come before it
    WorkerReply next_reply(double limit_s, bool has_progress,
                           const std::function<void(const PrepareProgress&)>& progress, const std::atomic<bool>* also);
    std::optional<TrialLost> reported_end();
    WorkerReply next_message(const WorkerChannel::Until& end, double limit_s);
    /// Throws if a message could not be sent or received. @param limit_s the limit that expired
    void check(WorkerChannel::Outcome outcome, double limit_s);

    std::unique_ptr<WorkerLink> link_;
    const std::atomic<bool>& stop_;
};

}  // namespace redtune::search
