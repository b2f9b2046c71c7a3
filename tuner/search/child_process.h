#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace redtune::search {

/// The program that is started as a worker. It finds the socket to its parent as its standard input.
struct WorkerCommand {
    std::filesystem::path program;
    std::vector<std::string> arguments;  ///< without the program's name
};

/// A child process that runs a worker. It has a process group of its own, so that Ctrl-C in a terminal reaches only the
/// parent. Its standard output goes to the parent's standard error. Not thread-safe.
class ChildProcess {
  public:
    /// Starts the program. @param socket its standard input
    /// @throws DeviceError if it cannot be started.
    ChildProcess(const WorkerCommand& command, int socket);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    /// Kills the process. Does not wait for a process that does not die, because the driver holds it: that process
    /// remains until the driver lets it go.
    ~ChildProcess();

    pid_t id() const { return id_; }

    /// Sends SIGKILL, which also ends a stopped process.
    void kill();

    /// Waits until the process has ended and releases its id, for at most this time or until `stop` is true.
    /// @return how it ended ("exited with code 3", "was killed by signal 11 (Segmentation fault)"); empty if it has not
    std::optional<std::string> wait_for_end(std::chrono::milliseconds at_most, const std::atomic<bool>* stop = nullptr);

  private:
    pid_t id_ = 0;
    std::optional<std::string> end_;  ///< how it ended
};

}  // namespace redtune::search
