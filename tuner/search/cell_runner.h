#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tuner/search/best_trial.h"
#include "tuner/search/compiled_trials.h"
#include "tuner/search/division.h"
#include "tuner/search/effort.h"
#include "tuner/search/executor.h"
#include "tuner/search/history.h"
#include "tuner/search/strategy.h"
#include "tuner/search/sweep_plan.h"
#include "tuner/search/sweep_progress.h"
#include "tuner/search/sweep_record.h"
#include "tuner/search/time_budget.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

/// The objects that the stages of every cell of a sweep use, on one unit.
struct SweepContext {
    Executor& executor;
    const SweepRequest& request;
    const History& history;
    SweepRecord& record;
    ProgressReporter& progress;
    const std::atomic<bool>& stop;  ///< true: the sweep ends after the current measurement
    Division::Member& division;
    TimeBudget budget = TimeBudget();
    std::size_t unit = 0;             ///< number of the unit, counted from 0
    bool compiles_as_needed = false;  ///< SweepPlan::compiles_as_needed
    /// The configurations that have passed a screening on any unit, which checks them at the hard sizes. Shared by the
    /// units; the turn guards it. Null: none is known.
    std::set<std::string>* passed = nullptr;

    /// Returns the effort of a search; nullopt if only some families are measured.
    std::optional<Effort> effort() const { return request.only.empty() ? std::optional(request.effort) : std::nullopt; }
    /// Returns whether the sweep is to end before the next cell.
    bool is_over() const { return division.is_over() || budget.is_spent(); }
    /// Reports progress of this unit.
    void report(SweepProgress now) const;
};

/// Measures one cell in three stages: screens the trials that a strategy asks for, times the best of them longer
/// (survivors), and compares the best survivors in interleaved rounds (finalists). A measurement is stored while
/// the next one begins. A trial that the database has is not measured again.
class CellRunner {
  public:
    /// @param effort the effort of the search, which is stored with a winner; nullopt: less than any. If the cell has
    /// only the finalists of other units, their effort is stored if it is greater.
    CellRunner(const SweepContext& sweep, const Cell& cell, std::optional<Effort> effort = std::nullopt)
        : sweep_(sweep),
          cell_(cell),
          stages_(final_stages(sweep.request.effort)),
          rounds_(stages_.rounds),
          effort_(std::max(effort, cell.effort_elsewhere)),
          is_pruned_(cell.trials.size()),
          compiled_(sweep.executor.compile_queue(), cell.trials) {}

    /// CellKnowledge::has_kernels of a strategy that the object runs.
    bool has_kernels(std::size_t i) { return compiled_.will_contain(i); }

    /// CompiledTrials::name_kernels() of the cell's trials.
    void name_kernels() { compiled_.name_kernels(); }

    /// Runs the stages; returns early if the sweep is to stop.
    /// @param end_of_screening the screening ends at this time, as soon as one trial has passed
    /// @throws DeviceError if the device is lost; the trial that lost it is stored as failed.
    void run(Strategy& strategy, std::optional<TimeBudget::Clock::time_point> end_of_screening = std::nullopt);

    /// Times all trials of the cell in interleaved rounds, as run() does with its finalists, and stores the winner.
    void run_final();

    /// Times finalists in fewer rounds from now on: those of a cell that several units of a sweep time.
    void use_fewer_rounds() { rounds_ = timing::fewer_final_rounds; }

    /// As run_final(), for a cell that another unit has decided. Reports nothing if no trial passes.
    /// @return whether there is a winner
    bool confirm();

    /// Times all trials of the cell in interleaved rounds and stores their measurements, but no winner.
    void compare_all();

    /// Two measurements that were taken in the same interleaved rounds, as ids in the database.
    struct Compared {
        std::int64_t subject = 0;
        std::int64_t best = 0;  ///< the measurement with the lowest median, perhaps that of the subject
    };

    /// Searches the cell as run() does. Then times one given trial, the subject, in interleaved rounds with the best
    /// trials, and stores no winner. The subject may be a trial of this size that the cell does not list.
    /// @return nullopt if the sweep is to stop or the subject failed
    std::optional<Compared> compare_with_best(Strategy& strategy, const Trial& subject);

  private:
    class StageQueue;
    class ScreeningQueue;
    class BatchQueue;
    class ReadyQueue;
    class SurvivorQueue;

    std::optional<RecordedStage> screen(Strategy& strategy);
    std::vector<std::size_t> next_batch(Strategy& strategy) const;
    bool screen_batch(Strategy& strategy, std::span<const std::size_t> batch, RecordedStage& screened);
    void count_pruned(std::size_t i);
    void count_screening(std::size_t i, const Measurement& screening, double best_us);
    void prepare_batch(Strategy& strategy, std::span<const std::size_t> batch, RecordedStage& screened);
    bool is_prunable(const Strategy& strategy, const Trial& trial, double best_us) const;
    bool time_survivors(std::span<const std::size_t> survivors, RecordedStage& survived);
    std::optional<RecordedStage> time_survivors_of(const RecordedStage& screened);
    std::optional<std::vector<std::size_t>> pick_finalists(const RecordedStage& screened);
    std::vector<std::size_t> all_trials();
    bool compare_finalists(std::span<const std::size_t> finalists,
                           SweepProgress::Phase done = SweepProgress::Phase::cell_done);
    std::optional<Effort> effort_of_search(const RecordedStage& screened) const;
    void report_no_winner();
    bool leave_out_if_failed(std::size_t i, const Measurement& measurement);
    std::vector<Measurement> without_failed(const RecordedStage& recorded) const;
    std::vector<Recorded> compare(std::span<const Trial> trials);
    std::vector<Recorded> compare_on(const timing::Data& data, std::span<const Trial> trials);
    std::vector<Trial> trials_at(std::span<const std::size_t> indexes) const;
    BestTrial best_of(const RecordedStage& recorded) const;
    bool is_out_of_time(const BestTrial& best) const;
    void measure_queue(StageQueue& queue, const std::function<void()>& measure);
    Recorded store(const Trial& trial, Measurement measurement);
    [[noreturn]] void store_and_throw(const Trial& trial, Stage stage, const DeviceError& error);
    void report(const BestTrial& best) const;
    SweepProgress progress(SweepProgress::Phase phase) const;
    bool has_failed(const Trial& trial) const;
    void report_if_lost(const Trial& trial, const Measurement& measurement) const;

    SweepContext sweep_;
    const Cell& cell_;
    const FinalStages& stages_;  ///< limits of the stages after the screening
    int rounds_;                 ///< in which finalists are timed
    std::optional<Effort> effort_;
    std::optional<TimeBudget::Clock::time_point> end_of_screening_;
    std::vector<bool> is_pruned_;   ///< for each trial, whether it was left out because of its lower bound
    std::vector<bool> has_failed_;  ///< for each trial, whether it failed at some stage
    CompiledTrials compiled_;       ///< the trials that may be screened while others are compiled
};

}  // namespace redtune::search
