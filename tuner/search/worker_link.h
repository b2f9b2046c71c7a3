#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tuner/search/worker_channel.h"

namespace redtune::search {

/// A worker as its parent sees it: a child process (worker_process.h), or a process on another machine
/// (remote_worker.h). Not thread-safe. The destructor ends the worker.
class WorkerLink {
  public:
    WorkerLink() = default;
    virtual ~WorkerLink() = default;
    WorkerLink(const WorkerLink&) = delete;
    WorkerLink& operator=(const WorkerLink&) = delete;

    virtual WorkerChannel& channel() = 0;

    /// Ends the worker, whatever it does.
    virtual void kill() = 0;

    /// Waits until the worker has ended, for at most this time or until `stop` is true.
    /// @return how it ended ("exited with code 3"); empty if it has not
    virtual std::optional<std::string> wait_for_end(std::chrono::milliseconds at_most,
                                                    const std::atomic<bool>* stop = nullptr) = 0;

    /// Returns why a connection that was closed without a word is not the fault of what was measured; empty if it may
    /// be.
    virtual std::optional<std::string> blameless_loss() const { return std::nullopt; }
};

/// Starts a worker and returns the link to it. @throws DeviceError if it cannot be started.
using StartWorker = std::function<std::unique_ptr<WorkerLink>()>;

}  // namespace redtune::search
