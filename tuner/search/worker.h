#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
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

/// A running worker process that is asked one request at a time. Not thread-safe.
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

    /// Sends a request that has no reply.
    /// @throws Stopped if `stop` becomes true; WorkerFailure
    void send(const WorkerRequest& request, double limit_s);

    /// Sends a request and returns its reply.
    /// @param limit_s the time limit; after progress, it begins again
    /// @throws Stopped if `stop` becomes true; WorkerFailure; InputError or Error if the request failed with it
    template <class Reply>
    Reply ask(const WorkerRequest& request, double limit_s,
              const std::function<void(const PrepareProgress&)>& progress = {}) {
        WorkerReply reply = receive(request, limit_s, progress);
        if (auto* expected = std::get_if<Reply>(&reply)) return std::move(*expected);
        throw WorkerFailure(Status::fault, "the worker process gave the reply to another request");
    }

    WorkerLink& link() { return *link_; }

  private:
    WorkerReply receive(const WorkerRequest& request, double limit_s,
                        const std::function<void(const PrepareProgress&)>& progress);
    std::optional<TrialLost> reported_end();
    WorkerReply next_reply(const WorkerChannel::Until& end, double limit_s);
    /// Throws if a message could not be sent or received. @param limit_s the limit that expired
    void check(WorkerChannel::Outcome outcome, double limit_s);

    std::unique_ptr<WorkerLink> link_;
    const std::atomic<bool>& stop_;
};

}  // namespace redtune::search
