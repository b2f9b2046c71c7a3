#include "tuner/search/cell_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "redtune/error.h"
#include "tuner/search/cell_stage_queue.h"
#include "tuner/search/choose.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

namespace {

/// Returns one measurement for each trial; a trial without one gets the status launch_error.
std::vector<Measurement> measurements_of(const RecordedStage& recorded) {
    std::vector<Measurement> measurements;
    for (const auto& entry : recorded) {
        measurements.push_back(entry ? entry->measurement : Measurement{});
        if (!entry) measurements.back().status = Status::launch_error;
    }
    return measurements;
}

}  // namespace

void SweepContext::report(SweepProgress now) const {
    now.unit = unit;
    progress.report(std::move(now));
}

void CellRunner::run(Strategy& strategy, std::optional<TimeBudget::Clock::time_point> end_of_screening) {
    end_of_screening_ = end_of_screening;
    const auto screened = screen(strategy);
    if (!screened) return;
    effort_ = effort_of_search(*screened);
    // If all finalists fail, as trials do that are fast because they are wrong, the next best trials take their place.
    bool is_decided = false;
    while (!is_decided) {
        const auto finalists = pick_finalists(*screened);
        if (!finalists) return;
        sweep_.progress.end_estimate({cell_.n, cell_.regime});
        if (sweep_.stop) return;
        if (finalists->empty()) report_no_winner();
        is_decided = finalists->empty() || compare_finalists(*finalists);
    }
}

void CellRunner::run_final() {
    if (!compare_finalists(all_trials())) report_no_winner();
}

bool CellRunner::confirm() {
    return compare_finalists(all_trials(), SweepProgress::Phase::cell_confirmed);
}

/// Returns the effort that the search amounts to: less than it began with if its time was over.
std::optional<Effort> CellRunner::effort_of_search(const RecordedStage& screened) const {
    if (!is_out_of_time(best_of(screened))) return effort_;
    const auto count = std::ranges::count_if(screened, [](const auto& entry) { return entry.has_value(); });
    return std::min(effort_, effort_of(static_cast<std::size_t>(count), cell_.is_known));
}

/// Returns the indexes of all trials, none of which has failed yet.
std::vector<std::size_t> CellRunner::all_trials() {
    std::vector<std::size_t> all(cell_.trials.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    has_failed_.assign(cell_.trials.size(), false);
    return all;
}

void CellRunner::compare_all() {
    compare(cell_.trials);
}

std::optional<CellRunner::Compared> CellRunner::compare_with_best(Strategy& strategy, const Trial& subject) {
    const auto screened = screen(strategy);
    const auto finalists = screened ? pick_finalists(*screened) : std::nullopt;
    if (!finalists || sweep_.stop || has_failed(subject)) return std::nullopt;
    std::vector<Trial> trials = trials_at(*finalists);
    std::erase_if(trials, [&](const Trial& trial) { return trial.configuration == subject.configuration; });
    trials.insert(trials.begin(), subject);
    const std::vector<Recorded> recorded = compare(trials);
    if (recorded.front().measurement.status != Status::ok) return std::nullopt;
    const auto best = std::min_element(recorded.begin(), recorded.end(), [](const Recorded& a, const Recorded& b) {
        const bool a_is_ok = a.measurement.status == Status::ok;
        const bool b_is_ok = b.measurement.status == Status::ok;
        return a_is_ok && (!b_is_ok || a.measurement.median_us < b.measurement.median_us);
    });
    return Compared{recorded.front().id, best->id};
}

std::vector<Trial> CellRunner::trials_at(std::span<const std::size_t> indexes) const {
    std::vector<Trial> trials;
    for (const std::size_t i : indexes) trials.push_back(cell_.trials[i]);
    return trials;
}

/// Returns the finalists; nullopt if the sweep is to stop.
std::optional<std::vector<std::size_t>> CellRunner::pick_finalists(const RecordedStage& screened) {
    // With several kinds of data there are more finalists, because their order may differ on the other kinds.
    const bool has_several = sweep_.request.data.size() > 1;
    const std::size_t most = has_several ? stages_.finalists_on_data : stages_.finalists;
    std::vector<std::size_t> finalists;
    if (stages_.survivors == 0) {
        finalists = near_best(without_failed(screened), timing::survivor_within, most);
    } else {
        const auto survived = time_survivors_of(screened);
        if (!survived) return std::nullopt;
        finalists = near_best(without_failed(*survived),
                              has_several ? timing::finalist_within_on_data : timing::finalist_within, most);
    }
    const auto elsewhere = sweep_.history.finalists_of_other_units({cell_.n, cell_.regime}).common;
    for (std::size_t i = 0; i < cell_.trials.size(); ++i) {
        const bool is_new = std::find(finalists.begin(), finalists.end(), i) == finalists.end();
        const bool is_elsewhere =
            std::find(elsewhere.begin(), elsewhere.end(), cell_.trials[i].configuration) != elsewhere.end();
        if (is_elsewhere && is_new && !has_failed_[i]) finalists.push_back(i);
    }
    return finalists;
}

/// Leaves a trial out of all stages if its measurement at a later stage than the screening failed.
/// @return whether it failed
bool CellRunner::leave_out_if_failed(std::size_t i, const Measurement& measurement) {
    if (measurement.status == Status::ok) return false;
    sweep_.progress.result.failed += !has_failed_[i];
    has_failed_[i] = true;
    return true;
}

/// Returns the measurements of a stage; trials that failed at any stage have failed in them, too.
std::vector<Measurement> CellRunner::without_failed(const RecordedStage& recorded) const {
    std::vector<Measurement> measurements = measurements_of(recorded);
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        if (has_failed_[i]) measurements[i].status = Status::wrong;
    }
    return measurements;
}

/// Times trials in interleaved rounds on the data that the executor uses and stores the measurements.
std::vector<Recorded> CellRunner::compare(std::span<const Trial> trials) {
    std::vector<Recorded> recorded;
    if (trials.empty()) return recorded;
    sweep_.executor.prepare(trials, {}, sweep_.stop);
    std::vector<Measurement> measurements = sweep_.executor.compare(trials, cell_.n, cell_.regime, rounds_);
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const std::int64_t id = sweep_.record.add(cell_, trials[i], measurements[i]);
        report_if_lost(trials[i], measurements[i]);
        recorded.push_back({id, std::move(measurements[i])});
        ++sweep_.progress.result.measured;
    }
    return recorded;
}

/// Times trials in interleaved rounds on the given data and stores the measurements. Then the executor uses the first
/// kind of data again.
std::vector<Recorded> CellRunner::compare_on(const timing::Data& data, std::span<const Trial> trials) {
    sweep_.executor.use_data(data);
    std::vector<Recorded> recorded = compare(trials);
    sweep_.executor.use_data(sweep_.request.data.front());
    return recorded;
}

/// Compares the finalists on all kinds of data and stores the winner.
/// @param done what is reported if there is one
/// @return whether there is one
bool CellRunner::compare_finalists(std::span<const std::size_t> finalists, SweepProgress::Phase done) {
    const std::vector<Trial> trials = trials_at(finalists);
    std::vector<std::int64_t> ids(trials.size());        // ids of the measurements on the first kind of data
    std::vector<std::vector<Measurement>> measurements;  // for each kind of data, one for each finalist
    for (const timing::Data& data : sweep_.request.data) {
        // A finalist that was lost is not run on the other kinds of data; its failure stands for them.
        std::vector<Measurement> on_data =
            measurements.empty() ? std::vector<Measurement>(trials.size()) : measurements.back();
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < trials.size(); ++i) {
            if (!is_harmful(on_data[i].status)) left.push_back(i);
        }
        std::vector<Trial> left_trials;
        for (const std::size_t i : left) left_trials.push_back(trials[i]);
        std::vector<Recorded> recorded = compare_on(data, left_trials);
        for (std::size_t k = 0; k < left.size(); ++k) {
            if (measurements.empty()) ids[left[k]] = recorded[k].id;
            on_data[left[k]] = std::move(recorded[k].measurement);
        }
        measurements.push_back(std::move(on_data));
    }
    std::vector<Simplicity> simplicity;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        simplicity.push_back({trials[i].deterministic, measurements.front()[i].resources.registers});
        for (const auto& on_data : measurements) leave_out_if_failed(finalists[i], on_data[i]);
    }
    const std::optional<Choice> choice = choose(measurements, simplicity);
    if (!choice) return false;
    const Trial& winner = trials[choice->winner];
    SweepProgress now = progress(done);
    const std::optional<Effort> earlier = sweep_.history.effort({cell_.n, cell_.regime});
    // The finalists of a search that resumes are the best of what the earlier search measured, too.
    const std::optional<Effort> effort = sweep_.request.resume ? std::max(earlier, effort_) : effort_;
    if (earlier > effort && !sweep_.request.less_effort_replaces) {
        now.kept_effort = earlier;
    } else {
        sweep_.record.set_winner(cell_, winner, ids[choice->winner], *choice, effort);
    }
    now.best = to_string(winner.configuration);
    now.best_us = measurements.front()[choice->winner].median_us;
    sweep_.report(std::move(now));
    return true;
}

void CellRunner::report_no_winner() {
    ++sweep_.progress.result.without_winner;
    sweep_.report(progress(SweepProgress::Phase::cell_done));
}

BestTrial CellRunner::best_of(const RecordedStage& recorded) const {
    BestTrial best;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        if (recorded[i] && !has_failed_[i]) best.update(cell_.trials[i], recorded[i]->measurement);
    }
    return best;
}

/// Returns whether the screening must end: its time is over and a trial has passed.
bool CellRunner::is_out_of_time(const BestTrial& best) const {
    return best.us != 0 && end_of_screening_ && TimeBudget::Clock::now() >= *end_of_screening_;
}

/// Calls a function that measures trials of a queue. If the device is lost, it stores the trial that lost it as failed.
void CellRunner::measure_queue(StageQueue& queue, const std::function<void()>& measure) {
    try {
        measure();
    } catch (const ExecutorLost&) {
        throw;
    } catch (const DeviceError& error) {
        if (queue.first_in_hand() == nullptr) throw;
        store_and_throw(*queue.first_in_hand(), queue.stage(), error);
    }
}

Recorded CellRunner::store(const Trial& trial, Measurement measurement) {
    Recorded recorded;
    recorded.id = sweep_.record.add(cell_, trial, measurement);
    recorded.measurement = std::move(measurement);
    report_if_lost(trial, recorded.measurement);
    ++sweep_.progress.result.measured;
    return recorded;
}

/// Stores a trial that lost the device as failed. @throws DeviceError
void CellRunner::store_and_throw(const Trial& trial, Stage stage, const DeviceError& error) {
    Measurement measurement;
    measurement.status = Status::fault;
    measurement.reason = error.what();
    measurement.stage = stage;
    sweep_.record.add(cell_, trial, measurement);
    throw DeviceError(
        fmt::format("{} made the device unusable: {}\nThe trial is stored as failed: run the same "
                    "command again to continue without it",
                    to_string(trial.configuration), error.what()));
}

void CellRunner::report(const BestTrial& best) const {
    SweepProgress now = progress(SweepProgress::Phase::measure);
    now.best = best.configuration;
    now.best_us = best.us;
    sweep_.report(std::move(now));
}

SweepProgress CellRunner::progress(SweepProgress::Phase phase) const {
    SweepProgress now;
    now.phase = phase;
    now.cell = &cell_;
    return now;
}

/// Returns whether a trial, which the cell need not list, has failed in the cell (History::failed_trials()).
bool CellRunner::has_failed(const Trial& trial) const {
    Cell cell;
    cell.n = cell_.n;
    cell.regime = cell_.regime;
    cell.trials = {trial};
    return sweep_.history.failed_trials(cell).front();
}

/// Reports a trial that failed with a harmful status.
void CellRunner::report_if_lost(const Trial& trial, const Measurement& measurement) const {
    if (!is_harmful(measurement.status)) return;
    SweepProgress now = progress(SweepProgress::Phase::trial_lost);
    now.lost = to_string(trial.configuration);
    now.reason = fmt::format("{}: {}", to_string(measurement.status), measurement.reason);
    sweep_.report(std::move(now));
}

}  // namespace redtune::search
