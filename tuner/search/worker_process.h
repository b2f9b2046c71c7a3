#pragma once

#include <sys/types.h>

#include "tuner/search/child_process.h"
#include "tuner/search/worker_link.h"

namespace redtune::search {

/// A worker that is a child process, with a socket to it.
class WorkerProcess final : public WorkerLink {
  public:
    /// Starts the program. @throws DeviceError if it cannot be started.
    explicit WorkerProcess(const WorkerCommand& command);

    WorkerChannel& channel() override { return channel_; }
    pid_t id() const { return process_.id(); }
    void kill() override { process_.kill(); }
    std::optional<std::string> wait_for_end(std::chrono::milliseconds at_most,
                                            const std::atomic<bool>* stop = nullptr) override {
        return process_.wait_for_end(at_most, stop);
    }

  private:
    /// The two connected ends of a socket. The destructor closes the worker's.
    struct Sockets;

    /// @param sockets the first is the parent's, the second the worker's
    WorkerProcess(const WorkerCommand& command, const Sockets& sockets);

    WorkerChannel channel_;
    ChildProcess process_;
};

}  // namespace redtune::search
