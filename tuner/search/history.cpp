#include "tuner/search/history.h"

#include <algorithm>
#include <map>
#include <string>

#include "tuner/jit/source_set.h"

namespace redtune::search {

namespace {

/// Returns whether a winner was compared on exactly these data, in any order.
bool is_compared_on(const std::vector<DataRatio>& ratios, const std::vector<timing::Data>& data) {
    return ratios.size() == data.size() && std::all_of(data.begin(), data.end(), [&](const timing::Data& wanted) {
               return std::any_of(ratios.begin(), ratios.end(),
                                  [&](const DataRatio& ratio) { return ratio.data == wanted.name; });
           });
}

}  // namespace

RecordedStage History::recorded(const Cell& cell, Stage stage) const {
    RecordedStage recorded(cell.trials.size());
    if (!request_.resume) return recorded;
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < cell.trials.size(); ++i) index[to_string(cell.trials[i].configuration)] = i;
    // Rows come in the order of measurement, so the newest measurement of a trial replaces the older ones.
    for (db::StoredMeasurement& entry :
         store_.measurements(executor_.device(), request_.problem, cell.n, cell.regime, executor_.toolchain())) {
        if (entry.measurement.stage != stage || entry.measurement.data != request_.data.front().name) continue;
        const auto found = index.find(to_string(entry.configuration));
        if (found == index.end()) continue;
        const Trial& trial = cell.trials[found->second];
        const Family& family = jit::find_family(families_, trial.configuration.family);
        if (entry.code_hash == family.code_hash && entry.rule == trial.rule) {
            recorded[found->second] = Recorded{entry.id, std::move(entry.measurement)};
        }
    }
    return recorded;
}

bool History::is_decided(const Cell& cell, const RecordedStage& screened) const {
    const auto winner =
        store_.winner(executor_.device(), request_.problem, cell.n, cell.regime, request_.problem.determinism);
    if (!winner) return false;
    if (!is_compared_on(winner->data, request_.data)) return false;
    const db::StoredMeasurement& best = winner->measurement;
    if (best.measurement.data != request_.data.front().name) return false;
    const bool is_of_this_code = std::any_of(families_.begin(), families_.end(), [&](const Family& family) {
        return family.name == best.configuration.family && family.code_hash == best.code_hash;
    });
    if (!is_of_this_code) return false;
    // A winner's measurement is stored after all measurements that it was compared with. So a screening with a greater
    // id has not been compared with the winner.
    const bool may_be_partial = request_.effort != Effort::exhaustive;
    return std::all_of(screened.begin(), screened.end(),
                       [&](const auto& entry) { return entry ? entry->id < best.id : may_be_partial; }) &&
           std::any_of(screened.begin(), screened.end(), [](const auto& entry) { return entry.has_value(); });
}

bool History::is_known_elsewhere(const Cell& cell) const {
    for (const Problem& other : similar()) {
        const auto sizes = store_.recorded_sizes(executor_.device(), other, cell.regime);
        if (std::find(sizes.begin(), sizes.end(), cell.n) != sizes.end()) return true;
    }
    const auto stored = measurements(request_.problem, {cell.n, cell.regime});
    return std::any_of(stored.begin(), stored.end(), [&](const db::StoredMeasurement& entry) {
        return std::any_of(families_.begin(), families_.end(), [&](const Family& family) {
            return family.name == entry.configuration.family && family.code_hash != entry.code_hash;
        });
    });
}

Prior History::prior(const Cell& cell) const {
    Prior prior;
    const CellKey here(cell.n, cell.regime);
    add_to_prior(prior, measurements(request_.problem, here));
    std::size_t cells = 0;
    for (const CellKey& key : cells_by_distance(request_.sizes, request_.regimes, here)) {
        if (cells == quick_nearest_cells) break;
        cells += add_to_prior(prior, measurements(request_.problem, key));
    }
    std::size_t problems = 0;
    for (const Problem& other : similar()) {
        if (problems == quick_similar_problems) break;
        problems += add_to_prior(prior, measurements(other, here));
    }
    return prior;
}

std::vector<db::StoredMeasurement> History::measurements(const Problem& problem, const CellKey& cell) const {
    std::vector<db::StoredMeasurement> found =
        store_.measurements(executor_.device(), problem, cell.first, cell.second, std::nullopt);
    std::erase_if(found, [&](const db::StoredMeasurement& entry) {
        return entry.measurement.data != request_.data.front().name;
    });
    return found;
}

std::vector<Problem> History::similar() const {
    return similar_problems(store_.problems(executor_.device()), request_.problem);
}

}  // namespace redtune::search
