#include "tuner/search/confirmation.h"

#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "db/single_candidate.h"
#include "tuner/jit/source_set.h"

namespace redtune::search {

Cell cell_of(const SweepContext& sweep, const std::vector<Family>& families, const CellKey& key,
             const std::vector<Configuration>& configurations) {
    Cell cell;
    std::tie(cell.n, cell.regime) = key;
    std::set<std::string> seen;
    for (const Configuration& configuration : configurations) {
        if (!seen.insert(to_string(configuration)).second) continue;
        const Family& family = jit::find_family(families, configuration.family);
        const auto trial = db::candidate_of(family, sweep.executor.device(), sweep.request.problem, configuration,
                                            cell.n, cell.regime);
        if (trial && sweep.executor.offers(*trial, cell.n, cell.regime)) cell.trials.push_back(*trial);
    }
    const std::vector<bool> failed = sweep.history.failed_trials(cell);
    const std::vector<Trial> trials = std::exchange(cell.trials, {});
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (!failed[i]) cell.trials.push_back(trials[i]);
    }
    return cell;
}

bool confirm(const SweepContext& sweep, const std::vector<Family>& families, const CellKey& key) {
    if (sweep.executor.device().uuid.empty()) return true;
    const FinalistsElsewhere elsewhere = sweep.history.finalists_of_other_units(key);
    const Cell cell = cell_of(sweep, families, key, elsewhere.common);
    if (cell.trials.empty()) return false;
    sweep.executor.prepare(cell.trials, {}, sweep.stop);
    if (sweep.stop) return false;
    CellRunner runner(sweep, cell, elsewhere.effort);
    runner.use_fewer_rounds();
    return runner.confirm();
}

}  // namespace redtune::search
