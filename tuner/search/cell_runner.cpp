#include "tuner/search/cell_runner.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "redtune/error.h"
#include "tuner/search/choose.h"
#include "tuner/search/lower_bound.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

struct CellRunner::Best {
    double us = 0;  ///< 0: no trial is ok yet
    std::string configuration;

    void update(const Trial& trial, const Measurement& measurement) {
        if (measurement.status != Status::ok || (us != 0 && measurement.median_us >= us)) return;
        us = measurement.median_us;
        configuration = to_string(trial.configuration);
    }
};

namespace {

/// Returns one measurement for each trial; a trial that was not measured counts as failed.
std::vector<Measurement> measurements_of(const RecordedStage& recorded) {
    std::vector<Measurement> measurements;
    for (const auto& entry : recorded) {
        measurements.push_back(entry ? entry->measurement : Measurement{});
        if (!entry) measurements.back().status = Status::launch_error;
    }
    return measurements;
}

}  // namespace

void CellRunner::run(Strategy& strategy) {
    const double remaining_after_s = sweep_.progress.remaining_s - cell_.estimate_s;
    RecordedStage screened = sweep_.history.recorded(cell_, Stage::screen);
    if (!screen(strategy, screened)) return;

    using namespace timing;
    RecordedStage survived = sweep_.history.recorded(cell_, Stage::survivor);
    if (!time_survivors(near_best(measurements_of(screened), survivor_within, most_survivors), survived)) return;

    sweep_.progress.remaining_s = remaining_after_s;
    if (sweep_.stop) return;
    // On other data the order may differ, so more survivors get a chance.
    const bool has_several = sweep_.data.size() > 1;
    compare_finalists(near_best(measurements_of(survived), has_several ? finalist_within_on_data : finalist_within,
                                has_several ? most_finalists_on_data : most_finalists));
}

/// @return false if the sweep is to stop
bool CellRunner::screen(Strategy& strategy, RecordedStage& screened) {
    for (std::size_t i = 0; i < screened.size(); ++i) {
        if (!screened[i]) continue;
        sweep_.progress.result.failed += screened[i]->measurement.status != Status::ok;
        strategy.tell(i, screened[i]->measurement);
    }
    std::vector<std::size_t> batch = strategy.next();
    while (!batch.empty()) {
        if (!screen_batch(strategy, batch, screened)) return false;
        batch = strategy.next();
    }
    return true;
}

bool CellRunner::screen_batch(Strategy& strategy, std::span<const std::size_t> batch, RecordedStage& screened) {
    Best best = best_of(screened);
    for (const std::size_t i : batch) {
        const Trial& trial = cell_.trials[i];
        if (!screened[i]) {
            if (sweep_.stop) return false;
            if (strategy.allows_pruning() && is_hopeless(trial, best.us)) {
                sweep_.progress.result.pruned += !is_pruned_[i];
                is_pruned_[i] = true;
                strategy.tell_pruned(i);
                continue;
            }
            screened[i] = measure(trial, Stage::screen, best.us);
            const Measurement& screening = screened[i]->measurement;
            sweep_.progress.count_screening(screening, best.us, sweep_.executor.screening_seconds(cell_.n));
            best.update(trial, screening);
            strategy.tell(i, screening);
        }
        report(best);
    }
    return true;
}

/// @return false if the sweep is to stop
bool CellRunner::time_survivors(std::span<const std::size_t> survivors, RecordedStage& survived) {
    Best best = best_of(survived);
    for (const std::size_t i : survivors) {
        if (!survived[i]) {
            if (sweep_.stop) return false;
            // The bound 0 switches the early stop off: the survivors' times differ by little.
            survived[i] = measure(cell_.trials[i], Stage::survivor, 0);
            best.update(cell_.trials[i], survived[i]->measurement);
        }
        report(best);
    }
    return true;
}

void CellRunner::compare_finalists(std::span<const std::size_t> finalists) {
    std::vector<Trial> trials;
    for (const std::size_t i : finalists) trials.push_back(cell_.trials[i]);
    std::vector<std::vector<Measurement>> measurements;  // for each data
    std::vector<std::int64_t> ids;                       // of the measurements on the first data
    for (const timing::Data& data : sweep_.data) {
        measurements.push_back(compare_on(data, trials));
        for (std::size_t i = 0; i < trials.size(); ++i) {
            const std::int64_t id = sweep_.record.add(cell_, trials[i], measurements.back()[i]);
            if (measurements.size() == 1) ids.push_back(id);
            ++sweep_.progress.result.measured;
        }
    }
    std::vector<Simplicity> simplicity;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        simplicity.push_back({trials[i].deterministic, measurements.front()[i].resources.registers});
    }
    SweepProgress progress;
    progress.phase = SweepProgress::Phase::cell_done;
    progress.cell = &cell_;
    if (const std::optional<Choice> choice = choose(measurements, simplicity)) {
        const Trial& winner = trials[choice->winner];
        sweep_.record.set_winner(cell_, winner, ids[choice->winner], *choice);
        progress.best = to_string(winner.configuration);
        progress.best_us = measurements.front()[choice->winner].median_us;
    } else {
        ++sweep_.progress.result.without_winner;
    }
    sweep_.progress.report(std::move(progress));
}

/// Times the trials in interleaved rounds on the data. The executor uses the first data again afterwards.
std::vector<Measurement> CellRunner::compare_on(const timing::Data& data, std::span<const Trial> trials) {
    if (trials.empty()) return {};
    sweep_.executor.use_data(data);
    std::vector<Measurement> measurements = sweep_.executor.compare(trials, cell_.n, cell_.regime);
    sweep_.executor.use_data(sweep_.data.front());
    return measurements;
}

CellRunner::Best CellRunner::best_of(const RecordedStage& recorded) const {
    Best best;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        if (recorded[i]) best.update(cell_.trials[i], recorded[i]->measurement);
    }
    return best;
}

/// Returns whether a screening of the trial would be stopped early for certain, because its lower bound is above the
/// cutoff.
bool CellRunner::is_hopeless(const Trial& trial, double best_us) const {
    if (best_us == 0) return false;
    return lower_bound_us(trial, sweep_.executor.device(), sweep_.problem, cell_.n, cell_.regime) >
           timing::early_stop_cutoff * best_us;
}

/// Measures a trial, stores the measurement and returns it.
/// @throws DeviceError if the device is lost; the trial that lost it is stored as failed.
Recorded CellRunner::measure(const Trial& trial, Stage stage, double bound_us) {
    Recorded recorded;
    try {
        recorded.measurement = sweep_.executor.measure(trial, cell_.n, cell_.regime, stage, bound_us);
    } catch (const DeviceError& error) {
        recorded.measurement.status = Status::launch_error;
        recorded.measurement.reason = error.what();
        recorded.measurement.stage = stage;
        sweep_.record.add(cell_, trial, recorded.measurement);
        throw DeviceError(
            fmt::format("{} made the device unusable: {}\nThe trial is stored as failed: run the same "
                        "command again to continue without it",
                        to_string(trial.configuration), error.what()));
    }
    recorded.id = sweep_.record.add(cell_, trial, recorded.measurement);
    ++sweep_.progress.result.measured;
    return recorded;
}

void CellRunner::report(const Best& best) const {
    SweepProgress progress;
    progress.cell = &cell_;
    progress.best = best.configuration;
    progress.best_us = best.us;
    sweep_.progress.report(std::move(progress));
}

}  // namespace redtune::search
