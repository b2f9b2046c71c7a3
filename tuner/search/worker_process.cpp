#include "tuner/search/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "redtune/error.h"

namespace redtune::search {

namespace {

/// A process that was killed needs less than this to end, unless the driver holds it.
constexpr std::chrono::milliseconds killed_within{200};

std::array<int, 2> make_sockets() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw DeviceError(fmt::format("cannot make the socket to a worker process: {}", std::strerror(errno)));
    }
    return ends;
}

/// Starts a program whose standard input is `socket` and whose standard output is this process's standard error.
/// @return 0, or the error
int spawn(const WorkerCommand& command, int socket, pid_t& id) {
    std::vector<std::string> words = {"redtune"};
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    const int error = posix_spawn(&id, command.program.c_str(), &files, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

std::string describe(int status) {
    if (WIFEXITED(status)) return fmt::format("exited with code {}", WEXITSTATUS(status));
    if (!WIFSIGNALED(status)) return "ended";
    const int signal = WTERMSIG(status);
    return fmt::format("was killed by signal {} ({}{})", signal, strsignal(signal),
                       signal == SIGKILL ? "; the system does so if its memory runs out" : "");
}

}  // namespace

WorkerProcess::WorkerProcess(const WorkerCommand& command) : WorkerProcess(command, make_sockets()) {}

WorkerProcess::WorkerProcess(const WorkerCommand& command, const std::array<int, 2>& sockets)
    : channel_(sockets[0]), id_(0) {
    const int error = spawn(command, sockets[1], id_);
    close(sockets[1]);
    if (error == 0) return;
    throw DeviceError(fmt::format("cannot start the worker process {}: {}; `redtune tune` without --worker needs none",
                                  command.program.string(), std::strerror(error)));
}

WorkerProcess::~WorkerProcess() {
    kill();
    wait_for_end(killed_within);
}

void WorkerProcess::kill() {
    if (!end_) ::kill(id_, SIGKILL);
}

std::optional<std::string> WorkerProcess::wait_for_end(std::chrono::milliseconds at_most,
                                                       const std::atomic<bool>* stop) {
    constexpr std::chrono::milliseconds between_looks{2};
    const auto deadline = WorkerChannel::Clock::now() + at_most;
    while (!end_) {
        int status = 0;
        const pid_t ended = waitpid(id_, &status, WNOHANG);
        if (ended == id_) {
            end_ = describe(status);
        } else if (ended < 0 && errno != EINTR) {
            end_ = "ended";  // the parent ignores SIGCHLD, so that the system keeps no status
        } else if ((stop != nullptr && *stop) || WorkerChannel::Clock::now() >= deadline) {
            break;
        } else {
            std::this_thread::sleep_for(between_looks);
        }
    }
    return end_;
}

}  // namespace redtune::search
