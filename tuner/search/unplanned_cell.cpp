#include "tuner/search/unplanned_cell.h"

#include "tuner/search/planner.h"
#include "tuner/search/time_model.h"

namespace redtune::search {

namespace {

Cell cell_of(const SweepContext& sweep, const std::vector<Family>& families, std::uint64_t n, Regime regime) {
    Cell cell;
    cell.n = n;
    cell.regime = regime;
    cell.trials = trials_of(sweep.executor, families, sweep.request.problem, n, regime);
    if (!sweep.compiles_as_needed) sweep.executor.prepare(cell.trials, {}, sweep.stop);
    return cell;
}

}  // namespace

UnplannedCell::UnplannedCell(const SweepContext& sweep, const std::vector<Family>& families, std::uint64_t n,
                             Regime regime)
    : cell(cell_of(sweep, families, n, regime)),
      prior(sweep.history.prior(cell)),
      strategy(make_strategy(Effort::standard, {cell, families, prior,
                                                likely_trials(cell, sweep.executor.device(), sweep.request.problem)})) {
}

}  // namespace redtune::search
