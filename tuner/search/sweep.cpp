#include "tuner/search/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "db/space.h"
#include "redtune/error.h"
#include "tuner/core/size_list.h"
#include "tuner/launch/instantiation.h"
#include "tuner/search/choose.h"
#include "tuner/search/least_time.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

namespace {

/// Survivors and finalists of a cell take about as long as this many screenings.
constexpr double later_stages = 60;

/// About how many trials quick effort screens of a cell that is not screened whole.
std::size_t quick_screenings(bool anchor) {
    constexpr std::size_t beside_each = 12;
    return anchor ? quick_anchor_promising + quick_anchor_sample + quick_anchor_climbers * beside_each
                  : quick_promising + quick_sample + quick_climbers * beside_each;
}

/// Ends the database's record of a sweep however the sweep ends.
class SweepRecord {
  public:
    SweepRecord(db::Store& store, std::int64_t id) : store_(store), id_(id) {}
    SweepRecord(const SweepRecord&) = delete;
    SweepRecord& operator=(const SweepRecord&) = delete;
    ~SweepRecord() {
        try {
            store_.finish_sweep(id_, status_);
        } catch (const Error&) {
            // The sweep's measurements are stored already; an unfinished record says "running", which resuming ignores.
            return;
        }
    }
    void end_as(const char* status) { status_ = status; }

  private:
    db::Store& store_;
    std::int64_t id_;
    const char* status_ = "failed";
};

/// Whether a screening ended early beside this best.
bool is_stopped_early(const Measurement& measurement, double best_us) {
    return measurement.status == Status::ok && measurement.samples_us.size() < timing::screen_samples && best_us > 0 &&
           measurement.minimum_us > timing::early_stop_cutoff * best_us;
}

std::vector<Measurement> measurements_of(const std::vector<std::optional<db::StoredMeasurement>>& known) {
    std::vector<Measurement> measurements;
    for (const auto& entry : known) {
        measurements.push_back(entry ? entry->measurement : Measurement{});
        // What is not known cannot be near the best.
        if (!entry) measurements.back().status = Status::launch_error;
    }
    return measurements;
}

}  // namespace

bool SweepPlan::is_done() const {
    return std::all_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.is_decided; });
}

Sweep::Sweep(Executor& executor, db::Store& store, const std::vector<Family>& families, SweepRequest request)
    : executor_(executor), store_(store), families_(families), request_(std::move(request)) {
    for (const Regime regime : request_.regimes) {
        for (const std::uint64_t n : request_.sizes) {
            if (const auto why = executor_.refuses(n, regime)) {
                throw InputError(fmt::format("n = {} cannot be measured: {}", format_size(n), *why));
            }
        }
    }
    make_plan();
}

void Sweep::make_plan() {
    std::set<std::string> kernels;
    for (const Regime regime : request_.regimes) {
        for (const std::uint64_t n : request_.sizes) {
            Cell& cell = plan_.cells.emplace_back();
            cell.n = n;
            cell.regime = regime;
            for (const Family& family : families_) {
                for (Candidate& candidate : db::candidates(family, executor_.device(), request_.problem, n, regime)) {
                    Trial trial{&family, std::move(candidate)};
                    if (executor_.offers(trial, n, regime)) cell.trials.push_back(std::move(trial));
                }
            }
            leave_out_unasked(cell);
            const Known screened = known(cell, Stage::screen);
            for (std::size_t i = 0; i < screened.size(); ++i) {
                if (screened[i]) {
                    ++cell.stored;
                    cell.failed += screened[i]->measurement.status != Status::ok;
                } else {
                    const Trial& trial = cell.trials[i];
                    kernels.insert(trial.family->name + "<" +
                                   launch::instantiation_of(*trial.family, trial.candidate.configuration.parameters) +
                                   ">");
                }
            }
            cell.is_decided = is_decided(cell, screened);
            plan_.candidates += cell.trials.size();
            plan_.stored += cell.stored;
            std::size_t at_most = cell.trials.size() - cell.stored;
            if (request_.effort == Effort::quick) {
                cell.is_whole = is_anchor(cell) && !is_known_elsewhere(cell);
                if (!cell.is_whole) at_most = std::min(at_most, quick_screenings(is_anchor(cell)));
            }
            const auto left = static_cast<double>(at_most);
            if (!cell.is_decided) cell.estimate_s = (left + later_stages) * executor_.screening_seconds(n);
            plan_.estimate_s += cell.estimate_s;
        }
    }
    plan_.compiles = kernels.size();
    plan_.estimate_s += static_cast<double>(kernels.size()) * executor_.compile_seconds();
}

void Sweep::leave_out_unasked(Cell& cell) const {
    if (request_.only.empty()) return;
    const Known screened = known(cell, Stage::screen);
    std::vector<Trial> kept;
    for (std::size_t i = 0; i < cell.trials.size(); ++i) {
        const bool is_asked =
            std::find(request_.only.begin(), request_.only.end(), cell.trials[i].family->name) != request_.only.end();
        if (is_asked || screened[i]) kept.push_back(std::move(cell.trials[i]));
    }
    cell.trials = std::move(kept);
}

Sweep::Known Sweep::known(const Cell& cell, Stage stage) const {
    Known known(cell.trials.size());
    if (!request_.resume) return known;
    const auto stored =
        store_.measurements(executor_.device(), request_.problem, cell.n, cell.regime, executor_.toolchain());
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < cell.trials.size(); ++i) place[to_string(cell.trials[i].candidate.configuration)] = i;
    for (const db::StoredMeasurement& entry : stored) {
        if (entry.measurement.stage != stage) continue;
        const auto found = place.find(to_string(entry.configuration));
        if (found == place.end()) continue;
        const Trial& trial = cell.trials[found->second];
        // The newest wins: rows come in the order they were measured.
        if (entry.code_hash == trial.family->code_hash && entry.rule == trial.candidate.rule)
            known[found->second] = entry;
    }
    return known;
}

bool Sweep::is_decided(const Cell& cell, const Known& screened) const {
    const auto winner =
        store_.winner(executor_.device(), request_.problem, cell.n, cell.regime, request_.problem.determinism);
    if (!winner) return false;
    const db::StoredMeasurement& best = winner->measurement;
    const bool is_of_this_code = std::any_of(families_.begin(), families_.end(), [&](const Family& family) {
        return family.name == best.configuration.family && family.code_hash == best.code_hash;
    });
    if (!is_of_this_code) return false;
    // A winner is stored after all that it won against: one older than some screening has not met it.
    const bool may_be_partial = request_.effort == Effort::quick;
    return std::all_of(screened.begin(), screened.end(),
                       [&](const auto& entry) { return entry ? entry->id < best.id : may_be_partial; }) &&
           std::any_of(screened.begin(), screened.end(), [](const auto& entry) { return entry.has_value(); });
}

SweepResult Sweep::run(const std::function<void(const SweepProgress&)>& progress, const std::atomic<bool>& stop) {
    progress_ = progress;
    stop_ = &stop;
    result_ = {};
    for (const Cell& cell : plan_.cells) result_.failed += cell.is_decided ? cell.failed : 0;
    screened_ = plan_.stored;
    remaining_s_ = plan_.estimate_s;
    if (plan_.is_done()) return result_;

    sweep_ = store_.begin_sweep(executor_.device(), request_.problem, executor_.toolchain(), executor_.source(),
                                request_.command);
    SweepRecord record(store_, sweep_);
    prepare();
    for (const bool anchors : {true, false}) {
        for (const Cell& cell : plan_.cells) {
            if (stop) break;
            if (!cell.is_decided && is_anchor(cell) == anchors) run_cell(cell);
        }
    }
    result_.interrupted = stop;
    record.end_as(result_.interrupted ? "interrupted" : "finished");
    return result_;
}

void Sweep::prepare() {
    std::vector<Trial> trials;
    for (const Cell& cell : plan_.cells) {
        if (!cell.is_decided) trials.insert(trials.end(), cell.trials.begin(), cell.trials.end());
    }
    executor_.prepare(
        trials,
        [&](const PrepareProgress& compile) {
            SweepProgress progress;
            progress.phase = SweepProgress::Phase::compile;
            progress.compile = compile;
            report(progress);
        },
        *stop_);
    remaining_s_ -= static_cast<double>(plan_.compiles) * executor_.compile_seconds();
}

void Sweep::run_cell(const Cell& cell) {
    const double left_after_s = remaining_s_ - cell.estimate_s;
    Known screened = known(cell, Stage::screen);
    if (!screen(cell, screened)) return;

    using namespace timing;
    const auto members = near_best(measurements_of(screened), survivor_within, most_survivors);
    Known survived = known(cell, Stage::survivor);
    if (!measure_stage(cell, members, Stage::survivor, survived)) return;

    remaining_s_ = left_after_s;
    decide(cell, near_best(measurements_of(survived), finalist_within, most_finalists));
}

/// Of quick effort: a cell that is measured before its neighbours are.
bool Sweep::is_anchor(const Cell& cell) const {
    const auto place = std::find(request_.sizes.begin(), request_.sizes.end(), cell.n) - request_.sizes.begin();
    return cell.regime == request_.regimes.front() && place % quick_anchor_step == 0;
}

/// Whether the cell was measured for a problem alike, or for this one with other code.
bool Sweep::is_known_elsewhere(const Cell& cell) const {
    const auto has_cell = [&](const Problem& other) {
        const auto sizes = store_.recorded_sizes(executor_.device(), other, cell.regime);
        return std::find(sizes.begin(), sizes.end(), cell.n) != sizes.end();
    };
    const std::vector<Problem> others = alike(store_.problems(executor_.device()), request_.problem);
    if (std::any_of(others.begin(), others.end(), has_cell)) return true;
    const auto stored = store_.measurements(executor_.device(), request_.problem, cell.n, cell.regime, std::nullopt);
    return std::any_of(stored.begin(), stored.end(), [&](const db::StoredMeasurement& entry) {
        return std::any_of(families_.begin(), families_.end(), [&](const Family& family) {
            return family.name == entry.configuration.family && family.code_hash != entry.code_hash;
        });
    });
}

/// What did well in this cell for problems alike or with other code, and at the nearest measured cells.
Prior Sweep::prior(const Cell& cell) const {
    Prior prior;
    const auto add = [&](const Problem& problem, const CellKey& key) {
        return add_prior(prior, store_.measurements(executor_.device(), problem, key.first, key.second, std::nullopt));
    };
    const CellKey here(cell.n, cell.regime);
    add(request_.problem, here);
    std::size_t neighbours = 0;
    for (const CellKey& key : by_nearness(request_.sizes, request_.regimes, here)) {
        if (neighbours == quick_neighbours) break;
        neighbours += add(request_.problem, key);
    }
    std::size_t problems = 0;
    for (const Problem& other : alike(store_.problems(executor_.device()), request_.problem)) {
        if (problems == quick_problems) break;
        problems += add(other, here);
    }
    return prior;
}

bool Sweep::screen(const Cell& cell, Known& screened) {
    const Prior promising = prior(cell);
    std::vector<bool> pruned(cell.trials.size());
    for (const auto& entry : screened) result_.failed += entry && entry->measurement.status != Status::ok;
    if (cell.is_whole || promising.empty()) {
        return measure_stage(cell, all_by_prior(cell.trials, promising), Stage::screen, screened, &pruned);
    }
    const bool anchor = is_anchor(cell);
    std::vector<std::size_t> next =
        promising_and_sample(cell.trials, promising, anchor ? quick_anchor_promising : quick_promising,
                             anchor ? quick_anchor_sample : quick_sample);
    double best_us = 0;
    do {
        if (!measure_stage(cell, next, Stage::screen, screened, &pruned)) return false;
        std::vector<double> standings(cell.trials.size(), open);
        const double before_us = best_us;
        for (std::size_t i = 0; i < standings.size(); ++i) {
            const bool is_ok = screened[i] && screened[i]->measurement.status == Status::ok;
            if (is_ok) {
                standings[i] = screened[i]->measurement.median_us;
                if (best_us == 0 || standings[i] < best_us) best_us = standings[i];
            } else if (screened[i] || pruned[i]) {
                standings[i] = failed;
            }
        }
        if (before_us != 0 && before_us < best_us * quick_improvement) break;
        next = beside_the_best(cell.trials, standings, anchor ? quick_anchor_climbers : quick_climbers);
    } while (!next.empty());
    return true;
}

/// Exhaustive effort measures what cannot win, too.
bool Sweep::is_pruned(const Cell& cell, const Trial& trial, double best_us) const {
    if (request_.effort == Effort::exhaustive || best_us == 0) return false;
    return least_time_us(trial.candidate, executor_.device(), request_.problem, cell.n, cell.regime) >
           timing::early_stop_cutoff * best_us;
}

bool Sweep::measure_stage(const Cell& cell, std::span<const std::size_t> members, Stage stage, Known& known,
                          std::vector<bool>* pruned) {
    SweepProgress progress;
    progress.cell = &cell;
    const auto take_note = [&](const Trial& trial, const Measurement& measurement) {
        if (measurement.status != Status::ok) return;
        if (progress.best_us != 0 && measurement.median_us >= progress.best_us) return;
        progress.best_us = measurement.median_us;
        progress.best = to_string(trial.candidate.configuration);
    };
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i]) take_note(cell.trials[i], known[i]->measurement);
    }
    for (const std::size_t i : members) {
        const Trial& trial = cell.trials[i];
        if (!known[i]) {
            if (*stop_) return false;
            if (pruned != nullptr && is_pruned(cell, trial, progress.best_us)) {
                result_.pruned += !(*pruned)[i];
                (*pruned)[i] = true;
                continue;
            }
            // Only a screening may end early: later stages are about small differences.
            const double bound_us = stage == Stage::screen ? progress.best_us : 0;
            Measurement measurement;
            try {
                measurement = executor_.measure(trial, cell.n, cell.regime, stage, bound_us);
            } catch (const DeviceError& error) {
                measurement.status = Status::launch_error;
                measurement.reason = error.what();
                measurement.stage = stage;
                record(cell, trial, measurement);
                throw DeviceError(
                    fmt::format("{} took the device down: {}\nIt is stored as failed: run the same "
                                "command again to go on without it",
                                to_string(trial.candidate.configuration), error.what()));
            }
            known[i].emplace();
            known[i]->id = record(cell, trial, measurement);
            ++result_.measured;
            if (stage == Stage::screen) {
                ++screened_;
                ++result_.screened;
                result_.failed += measurement.status != Status::ok;
                result_.stopped_early += is_stopped_early(measurement, bound_us);
                remaining_s_ = std::max(0.0, remaining_s_ - executor_.screening_seconds(cell.n));
            }
            take_note(trial, measurement);
            known[i]->measurement = std::move(measurement);
        }
        report(progress);
    }
    return true;
}

void Sweep::decide(const Cell& cell, std::span<const std::size_t> finalists) {
    if (*stop_) return;
    std::vector<Trial> trials;
    for (const std::size_t i : finalists) trials.push_back(cell.trials[i]);
    std::vector<Measurement> measurements;
    if (!trials.empty()) measurements = executor_.compare(trials, cell.n, cell.regime);
    std::vector<std::int64_t> ids;
    std::vector<Simplicity> simplicity;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        ids.push_back(record(cell, trials[i], measurements[i]));
        simplicity.push_back({trials[i].candidate.deterministic, measurements[i].resources.registers});
        ++result_.measured;
    }
    SweepProgress progress;
    progress.phase = SweepProgress::Phase::cell_done;
    progress.cell = &cell;
    if (const std::optional<Choice> choice = choose(measurements, simplicity)) {
        const Determinism wanted = request_.problem.determinism;
        store_.set_winner(sweep_, cell.n, cell.regime, wanted, ids[choice->winner], choice->decided_by,
                          choice->runner_up_ratio);
        // What is deterministic and the best of all is the best of the deterministic ones.
        if (wanted == Determinism::any && trials[choice->winner].candidate.deterministic) {
            store_.set_winner(sweep_, cell.n, cell.regime, Determinism::run_to_run, ids[choice->winner],
                              choice->decided_by, choice->runner_up_ratio);
        }
        progress.best = to_string(trials[choice->winner].candidate.configuration);
        progress.best_us = measurements[choice->winner].median_us;
    } else {
        ++result_.without_winner;
    }
    report(progress);
}

std::int64_t Sweep::record(const Cell& cell, const Trial& trial, const Measurement& measurement) {
    return store_.record(sweep_, trial.candidate, trial.family->code_hash, cell.n, cell.regime,
                         redtune::make_plan(trial.candidate.rule, cell.n, request_.problem.row_length), measurement);
}

void Sweep::report(SweepProgress progress) const {
    if (!progress_) return;
    progress.done = screened_;
    progress.total = plan_.candidates;
    progress.failed = result_.failed;
    progress.stopped_early = result_.stopped_early;
    progress.pruned = result_.pruned;
    progress.remaining_s = remaining_s_;
    progress_(progress);
}

}  // namespace redtune::search
