#include "tuner/cli/device_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "db/location.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tuner/gpu/device.h"
#include "tuner/search/gpu_executor.h"
#include "tuner/search/replay_executor.h"

namespace redtune::cli {

namespace {

constexpr std::string_view replay_prefix = "replay:";

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
        fmt::print(stderr, "No GPU here (`redtune doctor` says why): replaying the recorded device {}.\n", name);
        return {-1, name};
    }
    if (text.starts_with(replay_prefix)) {
        const std::string name = text.substr(replay_prefix.size());
        const std::vector<std::string> names = search::ReplayExecutor::names();
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            throw InputError(
                fmt::format("there is no recorded device '{}'; there are {}", name, fmt::join(names, ", ")));
        }
        return {-1, name};
    }
    int ordinal = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ordinal);
    if (error != std::errc{} || end != text.data() + text.size() || ordinal < 0) {
        throw InputError(
            fmt::format("--device '{}' is neither a GPU's number (see `redtune devices`) nor replay:NAME "
                        "with one of {}",
                        text, fmt::join(search::ReplayExecutor::names(), ", ")));
    }
    gpu::device_at(ordinal);
    return {ordinal, {}};
}

DeviceInfo device_for_planning(const std::string& text) {
    const DeviceChoice choice = choose_device(text);
    if (choice.ordinal >= 0) return gpu::device_at(choice.ordinal).info;
    for (const db::Recording& recording : db::recordings()) {
        if (recording.name != choice.recording) continue;
        const std::vector<DeviceInfo> devices = db::Store::open(recording.file, db::Access::immutable).devices();
        if (!devices.empty()) return devices.front();
    }
    throw InputError(fmt::format("the recording '{}' is empty", choice.recording));
}

std::unique_ptr<search::Executor> make_executor(const DeviceChoice& choice, const Problem& problem,
                                                std::uint64_t largest_n, const jit::SourceSet& sources,
                                                jit::CubinCache& cache) {
    if (choice.ordinal < 0) return std::make_unique<search::ReplayExecutor>(choice.recording, problem);
    return std::make_unique<search::GpuExecutor>(gpu::device_at(choice.ordinal), problem, largest_n, sources, cache);
}

}  // namespace redtune::cli
