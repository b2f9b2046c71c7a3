#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <variant>

#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/problem_options.h"
#include "tuner/gpu/context.h"
#include "tuner/gpu/device.h"
#include "tuner/jit/compiler.h"
#include "tuner/launch/kernel_loader.h"
#include "tuner/search/worker_protocol.h"
#include "tuner/timing/launch_calls.h"

namespace redtune::cli {

namespace {

/// Returns a message of the given kind.
/// @throws InputError if the text is another one
template <class Request>
Request read_message(const std::string& text) {
    search::WorkerRequest request = search::request_from_message(text);
    if (auto* wanted = std::get_if<Request>(&request)) return std::move(*wanted);
    throw InputError(
        "`redtune launch` is started by `redtune ladder --counters`, `redtune explain --counters` and `redtune tune "
        "--self-test`");
}

/// Makes as many calls of each trial as the request has rounds, on a GPU, and no other launch, for a profiler that has
/// started this process.
void make_calls(const search::WorkerTask& task, const search::CompareRequest& calls) {
    ProblemOptions options;
    options.templates = task.templates;
    options.op_file = task.operator_file;
    const jit::SourceSet sources = load_sources(options);
    const std::vector<Family> families = sources.families();
    const gpu::Device device = gpu::device_at(task.ordinal);
    const gpu::Context context(task.ordinal);
    jit::CubinCache cache = jit::CubinCache::open_default();
    jit::Compiler compiler(sources, cache, device.info.architecture());
    launch::KernelLoader loader(compiler, families, task.problem);
    for (const Trial& trial : calls.trials) {
        timing::launch_calls(loader.load(trial.configuration, trial.rule), task.problem, calls.n, calls.rounds);
    }
}

}  // namespace

void add_launch_command(CLI::App& app) {
    struct Messages {
        std::string task;
        std::string calls;
    };
    const auto messages = std::make_shared<Messages>();
    // The empty group hides the command from --help.
    CLI::App* command = app.add_subcommand("launch", "Launches one configuration, for a profiler")->group("");
    command->add_option("task", messages->task)->required();
    command->add_option("calls", messages->calls)->required();
    command->callback([messages] {
        make_calls(read_message<search::OpenRequest>(messages->task).task,
                   read_message<search::CompareRequest>(messages->calls));
    });
}

}  // namespace redtune::cli
