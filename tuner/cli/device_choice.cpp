#include "tuner/cli/device_choice.h"

#include <fmt/format.h>

#include <utility>

#include "db/location.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tuner/cli/device_name.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/messages.h"
#include "tuner/core/environment.h"
#include "tuner/gpu/device.h"
#include "tuner/search/compiling_executor.h"
#include "tuner/search/gpu_capabilities.h"
#include "tuner/search/gpu_executor.h"
#include "tuner/search/replay_executor.h"
#include "tuner/search/worker_executor.h"

namespace redtune::cli {

namespace {

std::string default_recording() {
    const std::vector<std::string> names = search::ReplayExecutor::names();
    if (names.empty()) {
        throw DeviceError(
            "there is no GPU, and no recorded device either: reinstall redtune, or set "
            "REDTUNE_SYSTEM_DATA to the folder of its databases");
    }
    return names.front();
}

}  // namespace

DeviceChoice choose_device(const std::string& text) {
    if (text.empty()) {
        if (!gpu::list_devices().empty()) return {0, {}};
        const std::string name = default_recording();
        note("No GPU here (`redtune doctor` says why): replaying the recorded {}.\n", name);
        return {-1, name};
    }
    const std::vector<KnownDevice> known = known_devices();
    const std::optional<KnownDevice> device = find_device(text, known);
    if (device && device->ordinal < 0 && !text.starts_with("replay:")) {
        fmt::print(stderr, "There is no GPU here that is called '{}': replaying the recorded device {}.\n", text,
                   device->recording);
    }
    if (device) return {device->ordinal, device->recording};
    refuse_missing_gpu(text, known);
    throw InputError(fmt::format(
        "--device '{}' names no GPU of this machine (see `redtune devices`) and no recorded device; allowed are {}, or "
        "a part of a name{}",
        text, list_devices_for_people(known), suggest_device(text, known)));
}

std::optional<DeviceInfo> recorded_device(const std::string& name) {
    for (const db::Recording& recording : db::recordings()) {
        if (recording.name != name) continue;
        const std::vector<DeviceInfo> devices = db::Store::open(recording.file, db::Access::immutable).devices();
        if (!devices.empty()) return devices.front();
    }
    return std::nullopt;
}

DeviceInfo device_for_planning(const std::string& text) {
    const DeviceChoice choice = choose_device(text);
    if (choice.ordinal >= 0) return gpu::device_at(choice.ordinal).info;
    if (const auto device = recorded_device(choice.recording)) return *device;
    throw InputError(fmt::format("the recording '{}' is empty", choice.recording));
}

std::unique_ptr<search::Executor> make_executor_of_this_process(const DeviceChoice& choice, const Problem& problem,
                                                                std::uint64_t largest_n, const jit::SourceSet& sources,
                                                                jit::CubinCache& cache) {
    if (choice.ordinal < 0)
        return std::make_unique<search::ReplayExecutor>(choice.recording, problem, sources.families());
    return std::make_unique<search::GpuExecutor>(gpu::device_at(choice.ordinal), problem, largest_n, sources, cache);
}

std::unique_ptr<search::Capabilities> make_capabilities(const DeviceChoice& choice, const Problem& problem,
                                                        const jit::SourceSet& sources) {
    if (choice.ordinal < 0) {
        return std::make_unique<search::ReplayExecutor>(choice.recording, problem, sources.families());
    }
    return std::make_unique<search::GpuCapabilities>(gpu::device_at(choice.ordinal), problem);
}

search::WorkerTask make_task(const DeviceChoice& choice, const Problem& problem, std::uint64_t largest_n,
                             const ProblemOptions& options, const jit::SourceSet& sources) {
    return {choice.ordinal,
            choice.recording,
            problem,
            largest_n,
            options.templates,
            options.op_file,
            search::code_of(sources.families()),
            {}};
}

search::WorkerCommand worker_command() {
    // /proc/self/exe remains the same program if its file is replaced meanwhile.
    return {environment_variable("REDTUNE_WORKER_PROGRAM").value_or("/proc/self/exe"), {"worker"}};
}

std::unique_ptr<search::Executor> make_executor(const DeviceChoice& choice, const Problem& problem,
                                                std::uint64_t largest_n, const ProblemOptions& options,
                                                const jit::SourceSet& sources, jit::CubinCache& cache,
                                                MeasuredBy measured_by) {
    if (measured_by == MeasuredBy::this_process) {
        return make_executor_of_this_process(choice, problem, largest_n, sources, cache);
    }
    auto executor = std::make_unique<search::WorkerExecutor>(
        make_capabilities(choice, problem, sources), worker_command(),
        make_task(choice, problem, largest_n, options, sources), interrupt_flag());
    if (choice.ordinal >= 0) executor->let_compile(search::CompilingExecutor::most_at_a_time());
    return executor;
}

}  // namespace redtune::cli
