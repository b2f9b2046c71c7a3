#include "tuner/report/explanation.h"

#include <algorithm>
#include <set>

#include "tuner/core/configuration.h"
#include "tuner/lookup/snapshot.h"
#include "tuner/search/stored_cell.h"

namespace redtune::report {

namespace {

/// A file with its name.
struct OpenFile {
    std::string name;
    db::Store store;
};

bool is_cell_of(const Match& match, const db::StoredWinner& winner) {
    Problem problem = winner.problem;
    problem.determinism = match.tuned_problem->determinism;
    return problem == *match.tuned_problem && winner.n == match.tuned_n && winner.regime == match.tuned_regime &&
           winner.device.name == match.tuned_device && winner.measurement.configuration.family == match.family;
}

/// Returns the winner that a match took, without rivals, and the index of its file.
std::optional<search::StoredCell> find_cell(const Match& match, std::span<const OpenFile> files) {
    std::optional<search::StoredCell> found;
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (db::StoredWinner& winner : files[i].store.winners()) {
            if (!is_cell_of(match, winner)) continue;
            if (winner.measurement.measurement.measured_at != match.measured_at) continue;
            const bool is_better =
                !found || (found->store == i && winner.problem.determinism == match.tuned_problem->determinism);
            if (is_better) found = search::StoredCell{std::move(winner), i, {}};
        }
    }
    return found;
}

/// Returns the measurements of the winner's cell in a file, on the same chip.
std::vector<db::StoredMeasurement> measurements_of_cell(const db::Store& store, const db::StoredWinner& winner) {
    std::vector<db::StoredMeasurement> all;
    for (const DeviceInfo& device : store.devices()) {
        if (!lookup::is_same_chip(device, winner.device)) continue;
        for (auto& each : store.measurements(device, winner.problem, winner.n, winner.regime)) {
            all.push_back(std::move(each));
        }
    }
    return all;
}

bool has_any(const std::vector<ParameterWorth>& worths) {
    return std::ranges::any_of(worths, [](const ParameterWorth& worth) { return !worth.others.empty(); });
}

/// Sets what the measurements of the cell say, in the first file that has an answer.
void add_candidates(Explanation& explanation, std::span<const OpenFile> files) {
    const Configuration& configuration = explanation.winner.measurement.configuration;
    std::set<std::string> measured;
    for (const OpenFile& file : files) {
        const auto measurements = measurements_of_cell(file.store, explanation.winner);
        for (const db::StoredMeasurement& each : measurements) measured.insert(to_string(each.configuration));
        if (!explanation.parameters_from.empty()) continue;
        std::vector<ParameterWorth> worths = parameter_worths(configuration, measurements);
        if (explanation.parameters.empty()) explanation.parameters = worths;
        if (!has_any(worths)) continue;
        explanation.parameters = std::move(worths);
        explanation.parameters_from = file.name;
    }
    explanation.candidates = measured.size();
}

StoredLimit limit_of(const db::StoredWinner& winner) {
    StoredLimit limit;
    limit.floor_us = winner.measurement.measurement.floor_us;
    if (winner.regime != Regime::warm && winner.device.peak_gb_per_s > 0) {
        const auto bytes = static_cast<double>(bytes_read(winner.problem, winner.n));
        limit.memory_us = bytes / winner.device.peak_gb_per_s / 1e3;
    }
    return limit;
}

void add_runner_up(Explanation& explanation, search::StoredCell& cell, const db::Store& store) {
    search::read_rivals(cell, store);
    explanation.runner_up_ratio = cell.winner.runner_up_ratio.value_or(0);
    if (cell.rivals.empty()) return;
    explanation.runner_up = cell.rivals.front();
    if (explanation.runner_up_ratio == 0) {
        explanation.runner_up_ratio =
            cell.rivals.front().measurement.median_us / cell.winner.measurement.measurement.median_us;
    }
}

}  // namespace

std::optional<Explanation> explain(const Match& match, std::span<const db::Layer> files,
                                   const std::vector<Family>& families) {
    if (match.kind == MatchKind::default_rule) return std::nullopt;
    std::vector<OpenFile> open;
    for (const db::Layer& layer : files) {
        open.push_back({std::string(layer.name), layer.open()});
        open.back().store.complete_configurations(families);
    }
    std::optional<search::StoredCell> cell = find_cell(match, open);
    if (!cell) return std::nullopt;
    Explanation explanation;
    add_runner_up(explanation, *cell, open[cell->store].store);
    explanation.winner = cell->winner;
    explanation.layer = open[cell->store].name;
    const std::vector<double>& samples = cell->winner.measurement.measurement.samples_us;
    if (!samples.empty()) explanation.interval = median_interval(samples);
    add_candidates(explanation, open);
    explanation.limit = limit_of(cell->winner);
    for (const OpenFile& file : open) {
        if (explanation.regret) break;
        explanation.regret = file.store.regret(cell->winner.device.name, cell->winner.problem, cell->winner.regime);
    }
    return explanation;
}

}  // namespace redtune::report
