#include "tuner/search/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "db/space.h"
#include "redtune/error.h"
#include "tuner/bench/constants.h"
#include "tuner/core/size_list.h"
#include "tuner/search/choose.h"

namespace redtune::search {

namespace {

/// Survivors and finalists of a cell take about as long as this many screenings.
constexpr double later_stages = 60;

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

/// Of quick effort: how many measured sizes are looked at, how near to their best counts as promising, how many
/// promising configurations are screened at most, and about how many of the others.
constexpr int quick_neighbours = 3;
constexpr std::ptrdiff_t quick_anchor_step = 4;
constexpr double quick_within = 1.10;
constexpr std::size_t quick_promising = 40;
constexpr std::size_t quick_sample = 12;

/// The sizes, the nearest to n in log n first.
std::vector<std::uint64_t> nearest(std::vector<std::uint64_t> sizes, std::uint64_t n) {
    const auto distance = [n](std::uint64_t size) {
        return std::abs(std::log2(static_cast<double>(std::max<std::uint64_t>(1, size))) -
                        std::log2(static_cast<double>(std::max<std::uint64_t>(1, n))));
    };
    std::stable_sort(sizes.begin(), sizes.end(), [&](auto a, auto b) { return distance(a) < distance(b); });
    return sizes;
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

Effort parse_effort(std::string_view name) {
    if (name == "quick") return Effort::quick;
    if (name == "exhaustive") return Effort::exhaustive;
    throw InputError(fmt::format("there is no effort '{}'; allowed are quick, exhaustive", name));
}

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
                for (Candidate& candidate : db::candidates(family, executor_.device(), request_.problem, n)) {
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
                    kernels.insert(trial.family->name + "<" + trial.candidate.instantiation + ">");
                }
            }
            cell.is_decided = is_decided(cell, screened);
            plan_.candidates += cell.trials.size();
            plan_.stored += cell.stored;
            std::size_t at_most = cell.trials.size() - cell.stored;
            if (request_.effort == Effort::quick && !is_anchor(cell)) {
                at_most = std::min(at_most, quick_promising + quick_sample);
            }
            const auto left = static_cast<double>(at_most);
            if (!cell.is_decided) plan_.estimate_s += (left + later_stages) * executor_.screening_seconds(n);
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
    // A winner is stored after all that it won against: one older than some screening has not met it.
    const bool may_be_partial = request_.effort == Effort::quick;
    return std::all_of(
               screened.begin(), screened.end(),
               [&](const auto& entry) { return entry ? entry->id < winner->measurement.id : may_be_partial; }) &&
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
    Known screened = known(cell, Stage::screen);
    std::vector<std::size_t> members = members_to_screen(cell, screened);
    if (!measure_stage(cell, members, Stage::screen, screened)) return;

    using namespace bench;
    members = near_best(measurements_of(screened), survivor_within, most_survivors);
    Known survived = known(cell, Stage::survivor);
    if (!measure_stage(cell, members, Stage::survivor, survived)) return;

    decide(cell, near_best(measurements_of(survived), finalist_within, most_finalists));
}

/// Of quick effort: a cell that is screened as a whole, before its neighbours are.
bool Sweep::is_anchor(const Cell& cell) const {
    const auto place = std::find(request_.sizes.begin(), request_.sizes.end(), cell.n) - request_.sizes.begin();
    return cell.regime == request_.regimes.front() && place % quick_anchor_step == 0;
}

std::vector<std::size_t> Sweep::members_to_screen(const Cell& cell, const Known& screened) const {
    std::vector<std::size_t> all(cell.trials.size());
    std::iota(all.begin(), all.end(), 0);
    if (request_.effort == Effort::exhaustive || is_anchor(cell)) return all;

    // Configurations that did well at the nearest measured sizes, in this regime and in others.
    std::map<std::string, double> promising;
    int neighbours = 0;
    for (const Regime regime : request_.regimes) {
        for (const std::uint64_t n : nearest(request_.sizes, cell.n)) {
            if (neighbours == quick_neighbours) break;
            if (n == cell.n && regime == cell.regime) continue;
            const auto stored =
                store_.measurements(executor_.device(), request_.problem, n, regime, executor_.toolchain());
            double best = 0;
            for (const db::StoredMeasurement& entry : stored) {
                const Measurement& measurement = entry.measurement;
                if (measurement.status == Status::ok && (best == 0 || measurement.median_us < best)) {
                    best = measurement.median_us;
                }
            }
            if (best == 0) continue;
            ++neighbours;
            for (const db::StoredMeasurement& entry : stored) {
                const double ratio = entry.measurement.median_us / best;
                if (entry.measurement.status != Status::ok || ratio > quick_within) continue;
                double& least = promising.try_emplace(to_string(entry.configuration), ratio).first->second;
                least = std::min(least, ratio);
            }
        }
    }
    if (neighbours == 0) return all;

    std::vector<std::pair<double, std::size_t>> ranked;
    std::vector<std::size_t> chosen;
    const std::size_t sample_step = std::max<std::size_t>(1, cell.trials.size() / quick_sample);
    for (const std::size_t i : all) {
        const auto found = promising.find(to_string(cell.trials[i].candidate.configuration));
        if (found != promising.end()) {
            ranked.emplace_back(found->second, i);
        } else if (screened[i] || i % sample_step == 0) {
            chosen.push_back(i);
        }
    }
    std::sort(ranked.begin(), ranked.end());
    if (ranked.size() > quick_promising) ranked.resize(quick_promising);
    for (const auto& [ratio, i] : ranked) chosen.push_back(i);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

bool Sweep::measure_stage(const Cell& cell, std::span<const std::size_t> members, Stage stage, Known& known) {
    SweepProgress progress;
    progress.cell = &cell;
    for (const std::size_t i : members) {
        const Trial& trial = cell.trials[i];
        if (!known[i]) {
            if (*stop_) return false;
            Measurement measurement;
            try {
                measurement = executor_.measure(trial, cell.n, cell.regime, stage);
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
            known[i]->measurement = std::move(measurement);
            ++result_.measured;
            if (stage == Stage::screen) {
                ++screened_;
                remaining_s_ = std::max(0.0, remaining_s_ - executor_.screening_seconds(cell.n));
            }
        }
        const Measurement& measurement = known[i]->measurement;
        if (measurement.status != Status::ok) {
            result_.failed += stage == Stage::screen;
        } else if (progress.best_us == 0 || measurement.median_us < progress.best_us) {
            progress.best_us = measurement.median_us;
            progress.best = to_string(trial.candidate.configuration);
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
    remaining_s_ = std::max(0.0, remaining_s_ - later_stages * executor_.screening_seconds(cell.n));
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
    progress.remaining_s = remaining_s_;
    progress_(progress);
}

}  // namespace redtune::search
