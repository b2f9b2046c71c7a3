#include "tuner/search/history.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "tuner/jit/source_set.h"
#include "tuner/search/lower_bound.h"
#include "tuner/search/strategy.h"

namespace redtune::search {

namespace {

/// Returns whether the ratios of a winner are for exactly these kinds of data, in any order.
bool is_compared_on(const std::vector<DataRatio>& ratios, const std::vector<timing::Data>& data) {
    return ratios.size() == data.size() && std::all_of(data.begin(), data.end(), [&](const timing::Data& wanted) {
               return std::any_of(ratios.begin(), ratios.end(),
                                  [&](const DataRatio& ratio) { return ratio.data == wanted.name; });
           });
}

}  // namespace

RecordedStage History::recorded(const Cell& cell, Stage stage) const {
    const timing::TimeAccount::Span span(account_, timing::Activity::database);
    RecordedStage recorded(cell.trials.size());
    if (!request_.resume) return recorded;
    std::vector<db::StoredMeasurement> stored =
        measurements(request_.problem, {cell.n, cell.regime}, {.toolchain = executor_.toolchain(), .stage = stage});
    if (stored.empty()) return recorded;
    std::vector<bool> has_own(cell.trials.size());
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < cell.trials.size(); ++i) index[to_string(cell.trials[i].configuration)] = i;
    // Rows come in the order of measurement, so the newest measurement of a trial replaces the older ones. A screening
    // on the executor's unit is preferred to those on other units.
    for (db::StoredMeasurement& entry : stored) {
        const auto found = index.find(to_string(entry.configuration));
        if (found == index.end()) continue;
        const Trial& trial = cell.trials[found->second];
        const Family& family = jit::find_family(families_, trial.configuration.family);
        if (entry.code_hash != family.code_hash || entry.rule != trial.rule) continue;
        // Survivors and finalists differ in time by less than two units do, so only those of the own unit count.
        if (!is_of_own_unit(entry) && (stage != Stage::screen || has_own[found->second])) continue;
        has_own[found->second] = is_of_own_unit(entry);
        recorded[found->second] = Recorded{entry.id, std::move(entry.measurement)};
    }
    return recorded;
}

std::vector<bool> History::failed_trials(const Cell& cell) const {
    const timing::TimeAccount::Span span(account_, timing::Activity::database);
    std::vector<bool> failed(cell.trials.size());
    if (!request_.resume) return failed;
    for (const db::StoredMeasurement& entry :
         store_.measurements(executor_.device(), request_.problem, cell.n, cell.regime,
                             {.toolchain = executor_.toolchain(), .has_failed = true})) {
        if (!is_current(entry)) continue;
        if (!is_harmful(entry.measurement.status) && !is_of_own_unit(entry)) continue;
        for (std::size_t i = 0; i < cell.trials.size(); ++i) {
            const Trial& trial = cell.trials[i];
            if (trial.configuration == entry.configuration && trial.rule == entry.rule) failed[i] = true;
        }
    }
    return failed;
}

FinalistsElsewhere History::finalists_of_other_units(const CellKey& cell) const {
    const timing::TimeAccount::Span span(account_, timing::Activity::database);
    const std::string& own = executor_.device().uuid;
    const std::vector<db::StoredMeasurement> stored = measurements(request_.problem, cell, {.stage = Stage::final});
    if (own.empty() || stored.empty()) return {};
    const auto key = store_.winner_key(stored.front().id, request_.problem.determinism);
    std::map<std::int64_t, const db::StoredMeasurement*> by_id;
    for (const db::StoredMeasurement& entry : stored) by_id[entry.id] = &entry;
    std::map<std::string, std::pair<Configuration, std::size_t>> units_of;  // number of units by configuration
    FinalistsElsewhere elsewhere;
    std::size_t units = 0;
    for (const db::UnitFinalists& unit : store_.finalists_of_units(*key)) {
        if (unit.uuid == own || unit.source != executor_.source()) continue;
        std::map<std::string, Configuration> current;
        for (const db::UnitFinalist& finalist : unit.finalists) {
            const auto found = by_id.find(finalist.measurement);
            if (found == by_id.end() || !is_current(*found->second)) continue;
            const Configuration& configuration = found->second->configuration;
            current[to_string(configuration)] = configuration;
        }
        if (current.empty()) continue;
        ++units;
        elsewhere.effort = std::max(elsewhere.effort, stored_effort(unit.effort));
        for (const auto& [text, configuration] : current) {
            ++units_of.try_emplace(text, configuration, 0).first->second.second;
        }
    }
    for (const auto& [text, counted] : units_of) {
        if (counted.second == units) elsewhere.common.push_back(counted.first);
    }
    return elsewhere;
}

/// Returns the winner of a cell on the executor's unit, if it was measured with the current code and compared on the
/// request's kinds of data.
std::optional<db::StoredWinner> History::comparable_winner(const CellKey& cell) const {
    auto winner =
        store_.unit_winner(executor_.device(), request_.problem, cell.first, cell.second, request_.problem.determinism);
    const bool is_comparable = winner && is_current(winner->measurement) &&
                               is_compared_on(winner->data, request_.data) &&
                               winner->measurement.measurement.data == request_.data.front().name;
    return is_comparable ? std::move(winner) : std::nullopt;
}

bool History::is_decided(const Cell& cell, const RecordedStage& screened) const {
    const auto winner = comparable_winner({cell.n, cell.regime});
    if (!winner) return false;
    if (request_.only.empty() && !winner->effort.empty() && stored_effort(winner->effort) < request_.effort) {
        return false;
    }
    // A winner's measurement is stored after all measurements that it was compared with. So a screening with a greater
    // id has not been compared with the winner.
    std::size_t screenings = 0;
    for (const auto& entry : screened) {
        if (!entry) continue;
        if (entry->id > winner->measurement.id) return false;
        ++screenings;
    }
    // A beam search ends by itself, so the number of its screenings does not tell whether it has ended.
    if (strategy_of(request_) == StrategyKind::beam) return screenings != 0;
    const std::size_t needed =
        std::min(most_screenings(request_.effort, cell.is_known), screened.size() - prunable(cell, screened));
    return screenings != 0 && screenings >= needed;
}

/// Returns the number of trials that are pruned instead of screened, because of the best screening.
std::size_t History::prunable(const Cell& cell, const RecordedStage& screened) const {
    if (request_.effort == Effort::exhaustive || strategy_of(request_) == StrategyKind::exhaustive) return 0;
    double best_us = 0;
    for (const auto& entry : screened) {
        if (!entry || entry->measurement.status != Status::ok) continue;
        if (best_us == 0 || entry->measurement.median_us < best_us) best_us = entry->measurement.median_us;
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < screened.size(); ++i) {
        count += !screened[i] &&
                 is_hopeless(cell.trials[i], executor_.device(), request_.problem, {cell.n, cell.regime}, best_us);
    }
    return count;
}

std::optional<Effort> History::effort(const CellKey& cell) const {
    const timing::TimeAccount::Span span(account_, timing::Activity::database);
    const auto winner = comparable_winner(cell);
    if (!winner || winner->toolchain != executor_.toolchain()) return std::nullopt;
    return stored_effort(winner->effort);
}

std::optional<Configuration> History::winner(const CellKey& cell) const {
    const auto winner =
        store_.unit_winner(executor_.device(), request_.problem, cell.first, cell.second, request_.problem.determinism);
    if (!winner || !is_current(winner->measurement)) return std::nullopt;
    return winner->measurement.configuration;
}

bool History::is_screened(const CellKey& cell) const {
    const std::vector<db::StoredMeasurement> stored = measurements(request_.problem, cell, {.stage = Stage::screen});
    return std::ranges::any_of(stored, [&](const db::StoredMeasurement& entry) { return is_current(entry); });
}

std::map<std::string, double> History::finalist_times_us(const CellKey& cell) const {
    std::map<std::string, double> times;
    for (const db::StoredMeasurement& entry : measurements(request_.problem, cell, {.stage = Stage::final})) {
        const Measurement& measurement = entry.measurement;
        if (measurement.status != Status::ok) continue;
        if (is_of_own_unit(entry) && is_current(entry)) times[to_string(entry.configuration)] = measurement.median_us;
    }
    return times;
}

std::vector<Configuration> History::near_best(const CellKey& cell, double within, std::size_t most) const {
    std::map<std::string, std::pair<double, Configuration>> times;
    for (const db::StoredMeasurement& entry : measurements(request_.problem, cell, {})) {
        const Measurement& measurement = entry.measurement;
        if (measurement.stage == Stage::screen || measurement.status != Status::ok) continue;
        if (!is_of_own_unit(entry) || !is_current(entry)) continue;
        if (request_.problem.determinism == Determinism::run_to_run && !entry.deterministic) continue;
        times[to_string(entry.configuration)] = {measurement.median_us, entry.configuration};
    }
    std::vector<std::pair<double, Configuration>> order;
    for (const auto& [text, time] : times) order.push_back(time);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Configuration> near;
    for (const auto& [us, configuration] : order) {
        if (near.size() == most || us > order.front().first * within) break;
        near.push_back(configuration);
    }
    return near;
}

bool History::has_finished_sweep() const {
    return store_.latest_sweep_status(executor_.device(), request_.problem) == "finished";
}

/// Returns whether a measurement is of the current code.
bool History::is_current(const db::StoredMeasurement& entry) const {
    return std::any_of(families_.begin(), families_.end(), [&](const Family& family) {
        return family.name == entry.configuration.family && family.code_hash == entry.code_hash;
    });
}

Prior History::prior(const Cell& cell) const {
    const timing::TimeAccount::Span span(account_, timing::Activity::database);
    Prior prior;
    const CellKey here(cell.n, cell.regime);
    const db::MeasurementRule did_well{.within = prior_within};
    add_to_prior(prior, measurements(request_.problem, here, did_well));
    std::size_t cells = 0;
    for (const CellKey& key : cells_by_distance(request_.sizes, request_.regimes, here)) {
        if (cells == prior_cells) break;
        cells += add_to_prior(prior, measurements(request_.problem, key, did_well));
    }
    std::size_t problems = 0;
    for (const Problem& other : similar()) {
        if (problems == prior_problems) break;
        problems += add_to_prior(prior, measurements(other, here, did_well));
    }
    return prior;
}

bool History::knows_similar(const CellKey& cell) const {
    return std::ranges::any_of(similar(), [&](const Problem& other) {
        return store_.winner(executor_.device(), other, cell.first, cell.second, other.determinism).has_value();
    });
}

std::vector<db::StoredMeasurement> History::measurements(const Problem& problem, const CellKey& cell,
                                                         db::MeasurementRule rule) const {
    rule.data = request_.data.front().name;
    return store_.measurements(executor_.device(), problem, cell.first, cell.second, rule);
}

std::vector<Problem> History::similar() const {
    return similar_problems(store_.problems(executor_.device()), request_.problem);
}

}  // namespace redtune::search
