#include "tuner/search/replay_executor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "db/location.h"
#include "redtune/error.h"
#include "redtune/version.h"
#include "tuner/core/size_list.h"
#include "tuner/timing/early_stop.h"

namespace redtune::search {

namespace {

std::filesystem::path recording_path(const std::string& name) {
    for (const db::Recording& recording : db::recordings()) {
        if (recording.name == name) return recording.file;
    }
    throw InputError(
        fmt::format("there is no recorded device '{}'; there are {}", name, fmt::join(ReplayExecutor::names(), ", ")));
}

DeviceInfo recorded_device(const db::Store& recording, const std::string& name) {
    const std::vector<DeviceInfo> devices = recording.devices();
    if (devices.empty()) throw InputError(fmt::format("the recording '{}' is empty", name));
    return devices.front();
}

/// Leaves a measurement the samples that it would have had beside this best.
void stop_early_if_hopeless(Measurement& measurement, double best_us) {
    if (measurement.status != Status::ok) return;
    const std::span<const double> all = measurement.samples_us;
    for (std::size_t taken = 1; taken < all.size(); ++taken) {
        if (!timing::is_hopeless(all.first(taken), best_us)) continue;
        measurement.samples_us.resize(taken);
        measurement.floor_us = 0;
        summarise(measurement);
        return;
    }
}

}  // namespace

std::vector<std::string> ReplayExecutor::names() {
    std::vector<std::string> names;
    for (const db::Recording& recording : db::recordings()) names.push_back(recording.name);
    return names;
}

ReplayExecutor::ReplayExecutor(const std::string& name, const Problem& problem)
    : name_(name),
      problem_(problem),
      recording_(db::Store::open(recording_path(name), db::Access::immutable)),
      device_(recorded_device(recording_, name)),
      // What ran is in the recording; what replays it compiles nothing and needs no driver.
      toolchain_{REDTUNE_VERSION, "recorded", "recorded"} {}

std::optional<std::string> ReplayExecutor::refuses(std::uint64_t n, Regime regime) const {
    const std::vector<std::uint64_t> sizes = recording_.recorded_sizes(device_, problem_, regime);
    if (std::find(sizes.begin(), sizes.end(), n) != sizes.end()) return std::nullopt;
    if (sizes.empty()) {
        return fmt::format("the recording {} has no {} of {}, {}, {}", name_, problem_.op, to_string(problem_.input),
                           shape_name(problem_), to_string(regime));
    }
    std::vector<std::string> texts;
    for (const std::uint64_t size : sizes) texts.push_back(format_size(size));
    return fmt::format("the recording {} has the sizes {}", name_, fmt::join(texts, ", "));
}

const ReplayExecutor::Cell& ReplayExecutor::cell(std::uint64_t n, Regime regime) const {
    const auto [place, is_new] = cells_.try_emplace({n, regime});
    if (is_new) {
        for (db::StoredMeasurement& stored : recording_.measurements(device_, problem_, n, regime, std::nullopt)) {
            const Stage stage = stored.measurement.stage;
            place->second[{to_string(stored.configuration), stage}] = std::move(stored.measurement);
        }
    }
    return place->second;
}

bool ReplayExecutor::offers(const Trial& trial, std::uint64_t n, Regime regime) const {
    return cell(n, regime).contains({to_string(trial.candidate.configuration), Stage::screen});
}

// A later stage that was not recorded gives back the latest one before it.
Measurement ReplayExecutor::measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) {
    const Cell& recorded = cell(n, regime);
    for (const Stage from : {Stage::final, Stage::survivor, Stage::screen}) {
        if (from > stage) continue;
        const auto found = recorded.find({to_string(trial.candidate.configuration), from});
        if (found == recorded.end()) continue;
        Measurement measurement = found->second;
        measurement.stage = stage;
        stop_early_if_hopeless(measurement, best_us);
        return measurement;
    }
    throw Error(fmt::format("{} is not in the recording {}", to_string(trial.candidate.configuration), name_));
}

std::vector<Measurement> ReplayExecutor::compare(std::span<const Trial> trials, std::uint64_t n, Regime regime) {
    std::vector<Measurement> measurements;
    for (const Trial& trial : trials) measurements.push_back(measure(trial, n, regime, Stage::final, 0));
    return measurements;
}

}  // namespace redtune::search
