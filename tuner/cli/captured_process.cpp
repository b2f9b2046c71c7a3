#include "tuner/cli/captured_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "redtune/error.h"
#include "tuner/search/executor.h"

namespace redtune::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Between two looks at `stop` while nothing is printed.
constexpr std::chrono::milliseconds between_looks{20};
/// A process that was killed needs less than this to end, unless the driver holds it.
constexpr std::chrono::milliseconds killed_within{200};

/// The two ends of a pipe, which the destructor closes.
struct Pipe {
    Pipe() {
        if (pipe2(ends.data(), O_CLOEXEC) != 0) {
            throw DeviceError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
        }
    }
    ~Pipe() {
        close(ends[0]);
        close_for_writing();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    void close_for_writing() {
        if (ends[1] >= 0) close(ends[1]);
        ends[1] = -1;
    }

    std::array<int, 2> ends{-1, -1};
};

/// Starts a program that writes to `output`.
/// @return its process id
pid_t spawn(const std::vector<std::string>& words, int output, bool has_own_group) {
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (has_own_group) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        posix_spawnattr_setpgroup(&attributes, 0);
    }
    pid_t id = 0;
    const int error = posix_spawn(&id, arguments.front(), &files, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) throw DeviceError(fmt::format("cannot start {}: {}", words.front(), std::strerror(error)));
    return id;
}

/// Kills a process, with its group if it has one of its own. Does not wait for a process that the driver holds.
void kill_process(pid_t id, bool has_own_group) {
    kill(has_own_group ? -id : id, SIGKILL);
    const auto deadline = Clock::now() + killed_within;
    while (waitpid(id, nullptr, WNOHANG) == 0 && Clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

}  // namespace

Captured run_captured(const std::vector<std::string>& words, const CaptureLimits& limits) {
    const bool has_own_group = limits.stop != nullptr;
    if (has_own_group && *limits.stop) throw search::Stopped();
    Pipe pipe;
    const auto begin = Clock::now();
    const pid_t id = spawn(words, pipe.ends[1], has_own_group);
    pipe.close_for_writing();
    Captured captured;
    while (true) {
        if (limits.stop != nullptr && *limits.stop) {
            kill_process(id, has_own_group);
            throw search::Stopped();
        }
        if (limits.time && Clock::now() - begin >= *limits.time) {
            kill_process(id, has_own_group);
            throw DeviceError(fmt::format("{} did not end within {:.0f} s", words.front(),
                                          std::chrono::duration<double>(*limits.time).count()));
        }
        pollfd look{pipe.ends[0], POLLIN, 0};
        if (poll(&look, 1, static_cast<int>(between_looks.count())) <= 0) continue;  // nothing yet, or a signal
        std::array<char, 4096> buffer;
        const ssize_t size = read(pipe.ends[0], buffer.data(), buffer.size());
        if (size > 0) captured.text.append(buffer.data(), static_cast<std::size_t>(size));
        if (size == 0) break;
    }
    int status = 0;
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
    captured.has_failed = status != 0;
    return captured;
}

}  // namespace redtune::cli
