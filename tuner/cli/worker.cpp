#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <string>

#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/device_choice.h"
#include "tuner/cli/problem_options.h"
#include "tuner/search/compiling_executor.h"
#include "tuner/search/worker_server.h"

namespace redtune::cli {

namespace {

/// Hides the GPUs from the CUDA driver, which NVRTC initialises at the first compilation of a process, though it needs
/// no GPU. Without GPUs, that takes less time.
void hide_gpus() {
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
}

/// The sources and the cache of a worker, which its executor refers to, and the executor.
class WorkerOfProgram {
  public:
    std::unique_ptr<search::Executor> make_executor(const search::WorkerTask& task) {
        ProblemOptions options;
        options.templates = task.templates;
        options.op_file = task.operator_file;
        sources_ = load_sources(options);
        if (search::code_of(sources_.families()) != task.code) {
            throw InputError("a template or an operator changed after the command began; run it again");
        }
        if (!task.compiles_for.empty()) {
            hide_gpus();
            return std::make_unique<search::CompilingExecutor>(task.compiles_for, task.problem, sources_, cache_);
        }
        return make_executor_of_this_process({task.ordinal, task.recording}, task.problem, task.largest_n, sources_,
                                             cache_);
    }

    /// Prints the cache's warning, unless the parent has printed it because it was there from the beginning.
    void print_warning() const {
        if (!had_warning_ && !cache_.warning().empty()) fmt::print(stderr, "{}\n", cache_.warning());
    }

  private:
    jit::SourceSet sources_;
    jit::CubinCache cache_ = jit::CubinCache::open_default();
    bool had_warning_ = !cache_.warning().empty();
};

/// Takes the socket away from the standard input, which gets /dev/null instead.
/// @return the socket
/// @throws InputError if the standard input is no socket
int take_socket() {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
        throw InputError("`redtune worker` is started by `redtune tune`; use that");
    }
    const int socket = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
    return socket;
}

}  // namespace

void add_worker_command(CLI::App& app) {
    // The empty group hides the command from --help.
    CLI::App* command = app.add_subcommand("worker", "Measures for another process of redtune")->group("");
    command->callback([] {
        const int socket = take_socket();
        search::become_worker();
        WorkerOfProgram worker;
        search::serve_worker(
            socket, [&](const search::WorkerTask& task) { return worker.make_executor(task); },
            [&] { worker.print_warning(); });
    });
}

}  // namespace redtune::cli
