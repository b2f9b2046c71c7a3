#include "tuner/search/sweep_record.h"

#include "db/single_candidate.h"
#include "redtune/error.h"
#include "tuner/core/launch_rule.h"
#include "tuner/jit/source_set.h"
#include "tuner/search/choose_over_units.h"

namespace redtune::search {

SweepRecord::SweepRecord(db::Store& store, const Executor& executor, const std::vector<Family>& families,
                         const SweepRequest& request, timing::TimeAccount* account)
    : store_(store),
      device_(executor.device()),
      families_(families),
      request_(request),
      account_(account),
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
    const timing::TimeAccount::Span span(account_, timing::Activity::database);
    const Family& family = jit::find_family(families_, trial.configuration.family);
    return store_.record(id_, trial, family.code_hash, cell.n, cell.regime,
                         make_plan(trial.rule, extents_of(request_.problem, cell.n)), measurement);
}

void SweepRecord::set_winner(const Cell& cell, const Trial& winner, std::int64_t measurement, const Choice& choice,
                             std::optional<Effort> effort) {
    const timing::TimeAccount::Span span(account_, timing::Activity::database);
    const db::SizeRange& range = candidate_range_of(cell, winner);
    std::vector<DataRatio> data;
    for (std::size_t k = 0; k < choice.ratios.size(); ++k) data.push_back({request_.data[k].name, choice.ratios[k]});
    const auto set = [&](Determinism determinism) {
        store_.set_winner(id_, cell.n, cell.regime, determinism, measurement, choice.decided_by, choice.runner_up_ratio,
                          range, data, effort ? effort_name(*effort) : "");
        update_winner(store_, store_.winner_key(measurement, determinism).value());
    };
    const Determinism wanted = request_.problem.determinism;
    store_.in_transaction([&] {
        set(wanted);
        // If the winner of all trials is deterministic, it is also the winner of the deterministic trials.
        if (wanted == Determinism::any && winner.deterministic) set(Determinism::run_to_run);
    });
}

const db::SizeRange& SweepRecord::candidate_range_of(const Cell& cell, const Trial& trial) {
    const Configuration& configuration = trial.configuration;
    const auto [entry, is_new] =
        candidate_ranges_.try_emplace(std::string(to_string(cell.regime)) + " " + to_string(configuration));
    const bool is_known = !is_new && entry->second.least <= cell.n && cell.n <= entry->second.most;
    if (!is_known) {
        const Family& family = jit::find_family(families_, configuration.family);
        entry->second = db::candidate_range(family, device_, request_.problem, configuration, cell.n, cell.regime);
    }
    return entry->second;
}

}  // namespace redtune::search
