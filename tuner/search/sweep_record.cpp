#include "tuner/search/sweep_record.h"

#include "redtune/error.h"
#include "tuner/core/launch_rule.h"
#include "tuner/jit/source_set.h"

namespace redtune::search {

SweepRecord::SweepRecord(db::Store& store, const Executor& executor, const std::vector<Family>& families,
                         const SweepRequest& request)
    : store_(store),
      families_(families),
      request_(request),
      id_(store.begin_sweep(executor.device(), request.problem, executor.toolchain(), executor.source(),
                            request.command)) {}

SweepRecord::~SweepRecord() {
    try {
        store_.finish_sweep(id_, status_);
    } catch (const Error&) {
        // A failure to write the status is ignored: every measurement is stored already. The record then keeps the
        // status "running", which does not matter to a resumed sweep.
        return;
    }
}

std::int64_t SweepRecord::add(const Cell& cell, const Trial& trial, const Measurement& measurement) {
    const Family& family = jit::find_family(families_, trial.configuration.family);
    return store_.record(id_, trial, family.code_hash, cell.n, cell.regime,
                         make_plan(trial.rule, cell.n, request_.problem.row_length), measurement);
}

void SweepRecord::set_winner(const Cell& cell, const Trial& winner, std::int64_t measurement, const Choice& choice) {
    const Determinism wanted = request_.problem.determinism;
    std::vector<DataRatio> data;
    for (std::size_t k = 0; k < choice.ratios.size(); ++k) data.push_back({request_.data[k].name, choice.ratios[k]});
    store_.set_winner(id_, cell.n, cell.regime, wanted, measurement, choice.decided_by, choice.runner_up_ratio, data);
    // If the winner of all trials is deterministic, it is also the winner of the deterministic trials.
    if (wanted == Determinism::any && winner.deterministic) {
        store_.set_winner(id_, cell.n, cell.regime, Determinism::run_to_run, measurement, choice.decided_by,
                          choice.runner_up_ratio, data);
    }
}

}  // namespace redtune::search
