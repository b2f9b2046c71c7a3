#include "tuner/search/replay_executor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "db/location.h"
#include "redtune/error.h"
#include "redtune/version.h"
#include "tuner/core/size_list.h"
#include "tuner/timing/early_stop.h"

namespace redtune::search {

namespace {

constexpr std::array all_regimes = {Regime::cold, Regime::warm, Regime::back_to_back};

std::filesystem::path recording_path(const std::string& name) {
    for (const db::Recording& recording : db::recordings()) {
        if (recording.name == name) return recording.file;
    }
    throw InputError(fmt::format("there is no recorded device '{}'; the recorded devices are {}", name,
                                 fmt::join(ReplayExecutor::names(), ", ")));
}

/// Returns the sizes as a list, "1Ki, 4Ki, 16Ki". A list of more than eight sizes is shortened to their number, the
/// first and the last: "23 sizes from 256 to 1Gi".
std::string list_sizes(const std::vector<std::uint64_t>& sizes) {
    constexpr std::size_t most_listed = 8;
    if (sizes.size() > most_listed) {
        return fmt::format("{} sizes from {} to {}", sizes.size(), format_size(sizes.front()),
                           format_size(sizes.back()));
    }
    std::vector<std::string> texts;
    for (const std::uint64_t size : sizes) texts.push_back(format_size(size));
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string describe(const Problem& problem) {
    return fmt::format("{} of {}, {}", problem.op, to_string(problem.input), shape_name(problem));
}

DeviceInfo recorded_device(const db::Store& recording, const std::string& name) {
    const std::vector<DeviceInfo> devices = recording.devices();
    if (devices.empty()) throw InputError(fmt::format("the recording '{}' is empty", name));
    return devices.front();
}

/// Removes the samples that a GPU would not have taken: given this best time, the early stop would have ended the
/// screening before them.
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

ReplayExecutor::ReplayExecutor(const std::string& name, const Problem& problem, std::vector<Family> families)
    : name_(name),
      problem_(problem),
      recording_(db::Store::open(recording_path(name), db::Access::immutable)),
      device_(recorded_device(recording_, name)),
      // A replay compiles nothing and needs no driver.
      toolchain_{REDTUNE_VERSION, "recorded", "recorded"} {
    recording_.complete_configurations(std::move(families));
}

std::optional<std::string> ReplayExecutor::refuses(std::uint64_t n, Regime regime) const {
    const auto [entry, is_new] = sizes_.try_emplace(regime);
    std::vector<std::uint64_t>& sizes = entry->second;
    if (is_new) sizes = screened_sizes(problem_, regime);
    if (std::find(sizes.begin(), sizes.end(), n) != sizes.end()) return std::nullopt;
    const std::string wanted = fmt::format("{}, {}", describe(problem_), to_string(regime));
    if (!sizes.empty()) return fmt::format("the recording {} has {} only at {}", name_, wanted, list_sizes(sizes));
    const bool has_winners = !recording_.recorded_sizes(device_, problem_, regime).empty();
    return fmt::format("the recording {} has no {} of {}; it has {}", name_,
                       has_winners ? "screenings, only the winners and finalists," : "measurement", wanted,
                       describe_recorded());
}

std::optional<std::string> ReplayExecutor::refuses_family(const std::string& family,
                                                          std::span<const std::uint64_t> sizes,
                                                          std::span<const Regime> regimes) const {
    std::set<std::string> families;
    for (const Regime regime : regimes) {
        for (const std::uint64_t n : sizes) {
            for (const auto& [key, measurement] : cell(n, regime)) {
                if (key.second == Stage::screen) families.insert(key.first.substr(0, key.first.find('(')));
            }
        }
    }
    if (families.contains(family)) return std::nullopt;
    return fmt::format("the recording {} has no measurement of it for {} at these sizes; it has {}", name_,
                       describe(problem_), fmt::join(families, ", "));
}

std::vector<std::uint64_t> ReplayExecutor::screened_sizes(const Problem& problem, Regime regime) const {
    return recording_.recorded_sizes(device_, problem, regime, Stage::screen);
}

/// Returns what was recorded: "sum of f32, whole (cold: 23 sizes from 256 to 1Gi; warm: 15 sizes from 256 to 4Mi)".
std::string ReplayExecutor::describe_recorded() const {
    std::vector<std::string> problems;
    for (const Problem& problem : recording_.problems(device_)) {
        std::vector<std::string> regimes;
        for (const Regime regime : all_regimes) {
            const std::vector<std::uint64_t> sizes = screened_sizes(problem, regime);
            if (!sizes.empty()) regimes.push_back(fmt::format("{}: {}", to_string(regime), list_sizes(sizes)));
        }
        if (!regimes.empty()) problems.push_back(fmt::format("{} ({})", describe(problem), fmt::join(regimes, "; ")));
    }
    return problems.empty() ? "none at all" : fmt::format("{}", fmt::join(problems, ", "));
}

const ReplayExecutor::Cell& ReplayExecutor::cell(std::uint64_t n, Regime regime) const {
    const auto [entry, is_new] = cells_.try_emplace({n, regime});
    if (is_new) {
        for (db::StoredMeasurement& stored : recording_.measurements(device_, problem_, n, regime)) {
            if (stored.measurement.data != timing::Data().name) continue;
            const Stage stage = stored.measurement.stage;
            entry->second[{to_string(stored.configuration), stage}] = std::move(stored.measurement);
        }
    }
    return entry->second;
}

bool ReplayExecutor::offers(const Trial& trial, std::uint64_t n, Regime regime) const {
    return cell(n, regime).contains({to_string(trial.configuration), Stage::screen});
}

/// Returns the recorded measurement of `stage`, or else of the latest earlier stage that was recorded. The returned
/// measurement has the stage `stage`.
Measurement ReplayExecutor::measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) {
    account_.start();
    const timing::TimeAccount::Span span(&account_, timing::timing_at(stage));
    const Cell& recorded = cell(n, regime);
    for (const Stage from : {Stage::final, Stage::survivor, Stage::screen}) {
        if (from > stage) continue;
        const auto found = recorded.find({to_string(trial.configuration), from});
        if (found == recorded.end()) continue;
        Measurement measurement = found->second;
        measurement.stage = stage;
        stop_early_if_hopeless(measurement, best_us);
        return measurement;
    }
    throw Error(fmt::format("{} is not in the recording {}", to_string(trial.configuration), name_));
}

std::vector<Measurement> ReplayExecutor::compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                                 int /*rounds*/) {
    std::vector<Measurement> measurements;
    for (const Trial& trial : trials) measurements.push_back(measure(trial, n, regime, Stage::final, 0));
    return measurements;
}

}  // namespace redtune::search
