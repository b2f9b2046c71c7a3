#include "tuner/search/stored_cell.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "tuner/lookup/snapshot.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

namespace {

/// The problem without its determinism, the regime and the size of a cell, in the order in which cells are verified.
auto cell_key(const db::StoredWinner& winner) {
    const Problem& problem = winner.problem;
    return std::make_tuple(problem.op, problem.input, problem.accumulator, problem.output, problem.row_length,
                           problem.columns, problem.destructive, winner.regime, winner.n);
}

/// The rank of the place where a winner was found. The least rank of a cell counts.
auto rank(const db::StoredWinner& winner, std::size_t store, Determinism determinism, bool is_replayed_now) {
    return std::make_tuple(!is_replayed_now && db::is_replay(winner.source), store,
                           winner.problem.determinism != determinism);
}

}  // namespace

void read_rivals(StoredCell& cell, const db::Store& store) {
    const db::StoredWinner& winner = cell.winner;
    const db::StoredMeasurement& won = winner.measurement;
    std::map<std::string, db::StoredMeasurement> newest;
    for (db::StoredMeasurement& each : store.measurements(winner.device, winner.problem, winner.n, winner.regime)) {
        const Measurement& measurement = each.measurement;
        if (measurement.stage != Stage::final || measurement.status != Status::ok) continue;
        if (measurement.data != won.measurement.data || each.configuration == won.configuration) continue;
        if (winner.problem.determinism == Determinism::run_to_run && !each.deterministic) continue;
        db::StoredMeasurement& kept = newest[to_string(each.configuration)];
        const bool is_preferred = kept.id == 0 || each.unit == won.unit || kept.unit != won.unit;
        if (is_preferred) kept = std::move(each);
    }
    std::vector<db::StoredMeasurement>& rivals = cell.rivals;
    rivals.clear();
    for (auto& [text, measurement] : newest) rivals.push_back(std::move(measurement));
    std::stable_sort(rivals.begin(), rivals.end(), [&](const auto& a, const auto& b) {
        return std::make_tuple(a.unit != won.unit, a.measurement.median_us) <
               std::make_tuple(b.unit != won.unit, b.measurement.median_us);
    });
    if (rivals.size() > timing::most_finalists_on_data) rivals.resize(timing::most_finalists_on_data);
}

std::vector<StoredCell> stored_cells(std::span<const db::Store> stores, const DeviceInfo& device,
                                     Determinism determinism, bool is_replayed_now, const WinnerFilter& is_asked) {
    std::map<decltype(cell_key({})), StoredCell> best;
    for (std::size_t store = 0; store < stores.size(); ++store) {
        for (db::StoredWinner& winner : stores[store].winners()) {
            const bool is_usable = determinism == Determinism::any || winner.problem.determinism == determinism;
            if (!is_usable || !lookup::is_same_chip(winner.device, device) || !is_asked(winner)) continue;
            const auto [found, is_new] = best.try_emplace(cell_key(winner));
            StoredCell& kept = found->second;
            if (is_new || rank(winner, store, determinism, is_replayed_now) <
                              rank(kept.winner, kept.store, determinism, is_replayed_now)) {
                kept = {std::move(winner), store, {}};
            }
        }
    }
    std::vector<StoredCell> cells;
    for (auto& [key, cell] : best) cells.push_back(std::move(cell));
    return cells;
}

}  // namespace redtune::search
