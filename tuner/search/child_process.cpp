#include "tuner/search/child_process.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "redtune/error.h"

namespace redtune::search {

namespace {

using Clock = std::chrono::steady_clock;

/// A process that was killed needs less than this to end, unless the driver holds it.
constexpr std::chrono::milliseconds killed_within{200};

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

ChildProcess::ChildProcess(const WorkerCommand& command, int socket) {
    const int error = spawn(command, socket, id_);
    if (error == 0) return;
    throw DeviceError(fmt::format("cannot start the worker process {}: {}; `redtune tune --no-worker` needs none",
                                  command.program.string(), std::strerror(error)));
}

ChildProcess::~ChildProcess() {
    kill();
    wait_for_end(killed_within);
}

void ChildProcess::kill() {
    if (!end_) ::kill(id_, SIGKILL);
}

std::optional<std::string> ChildProcess::wait_for_end(std::chrono::milliseconds at_most,
                                                      const std::atomic<bool>* stop) {
    constexpr std::chrono::milliseconds between_looks{2};
    const auto deadline = Clock::now() + at_most;
    while (!end_) {
        int status = 0;
        const pid_t ended = waitpid(id_, &status, WNOHANG);
        if (ended == id_) {
            end_ = describe(status);
        } else if (ended < 0 && errno != EINTR) {
            end_ = "ended";  // the parent ignores SIGCHLD, so that the system keeps no status
        } else if ((stop != nullptr && *stop) || Clock::now() >= deadline) {
            break;
        } else {
            std::this_thread::sleep_for(between_looks);
        }
    }
    return end_;
}

}  // namespace redtune::search
