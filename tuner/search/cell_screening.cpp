// The first stage of CellRunner: screening.
#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "redtune/error.h"
#include "tuner/search/cell_runner.h"
#include "tuner/search/cell_stage_queue.h"
#include "tuner/search/lower_bound.h"

namespace redtune::search {

/// Screens the trials that the strategy asks for.
/// @return nullopt if the sweep is to stop
std::optional<RecordedStage> CellRunner::screen(Strategy& strategy) {
    has_failed_ = sweep_.history.failed_trials(cell_);
    RecordedStage screened = sweep_.history.recorded(cell_, Stage::screen);
    for (std::size_t i = 0; i < screened.size(); ++i) {
        if (!screened[i]) continue;
        has_failed_[i] = has_failed_[i] || screened[i]->measurement.status != Status::ok;
        sweep_.progress.result.failed += has_failed_[i];
        strategy.tell(i, screened[i]->measurement);
    }
    std::vector<std::size_t> batch = next_batch(strategy);
    while (!batch.empty() && !is_out_of_time(best_of(screened))) {
        if (!screen_batch(strategy, batch, screened)) return std::nullopt;
        batch = next_batch(strategy);
    }
    return screened;
}

std::vector<std::size_t> CellRunner::next_batch(Strategy& strategy) const {
    std::vector<std::size_t> batch;
    sweep_.executor.aside([&] { batch = strategy.next(); });
    return batch;
}

/// Trials of the cell that are to be screened. It tells the strategy of their measurements.
class CellRunner::ScreeningQueue : public StageQueue {
  public:
    ScreeningQueue(CellRunner& runner, Strategy& strategy, RecordedStage& screened)
        : StageQueue(runner, Stage::screen, screened), strategy_(strategy) {}

  protected:
    bool must_end() const { return runner_.sweep_.stop || runner_.is_out_of_time(best()) || strategy_.is_over(); }
    bool is_hopeless(std::size_t i) const { return runner_.is_prunable(strategy_, runner_.cell_.trials[i], best().us); }

    TrialRequest screening(std::size_t i) { return request(i, best().us, has_passed(runner_.cell_.trials[i])); }
    void prune(std::size_t i) {
        runner_.count_pruned(i);
        strategy_.tell_pruned(i);
    }

    Strategy& strategy_;

  private:
    void note(std::size_t i, const Measurement& screening) final {
        runner_.count_screening(i, screening, best().us);
        auto* passed = runner_.sweep_.passed;
        if (passed != nullptr && screening.status == Status::ok)
            passed->insert(to_string(runner_.cell_.trials[i].configuration));
        strategy_.tell(i, screening);
    }

    /// Returns whether the trial's configuration has passed a screening of another cell or unit.
    bool has_passed(const Trial& trial) const {
        const auto* passed = runner_.sweep_.passed;
        return passed != nullptr && passed->contains(to_string(trial.configuration));
    }
};

/// The trials of a batch.
class CellRunner::BatchQueue final : public ScreeningQueue {
  public:
    BatchQueue(CellRunner& runner, Strategy& strategy, RecordedStage& screened, std::span<const std::size_t> batch)
        : ScreeningQueue(runner, strategy, screened), left_(batch) {}

    bool is_over() override { return left_.empty() || must_end(); }

    /// Begins a time slice with the next trial. At its end, next() returns none, so that another cell which shares the
    /// executor gets one.
    void begin_time_slice() { end_of_slice_.reset(); }

    std::optional<TrialRequest> next() override {
        const auto now = TimeBudget::Clock::now();
        if (!end_of_slice_) end_of_slice_ = now + time_slice;
        while (!is_over()) {
            const std::size_t i = left_.front();
            const bool is_pruned = !is_known(i) && is_hopeless(i);
            if (!is_known(i) && !is_pruned && now >= *end_of_slice_) break;
            left_ = left_.subspan(1);
            if (is_known(i)) {
                report_progress();
            } else if (is_pruned) {
                prune(i);
            } else {
                return screening(i);
            }
        }
        return std::nullopt;
    }

  private:
    /// Enough for several small trials, between which the executor need not wait for the search.
    static constexpr std::chrono::milliseconds time_slice{100};

    std::span<const std::size_t> left_;
    std::optional<TimeBudget::Clock::time_point> end_of_slice_;  ///< empty before the first trial
};

/// The trials of a batch whose kernels are compiled before those of the others, and after them spare trials.
class CellRunner::ReadyQueue final : public ScreeningQueue {
  public:
    ReadyQueue(CellRunner& runner, Strategy& strategy, RecordedStage& screened, std::span<const std::size_t> batch)
        : ScreeningQueue(runner, strategy, screened), batch_(batch.begin(), batch.end()) {}

    bool is_over() override { return must_end(); }

    std::optional<TrialRequest> next() override {
        const auto is_ready = [&](std::size_t i) {
            return !is_known(i) && !is_in_hand(i) && runner_.compiled_.contains(i);
        };
        while (!must_end()) {
            std::optional<std::size_t> ready = next_of_batch(is_ready);
            if (!ready) ready = strategy_.spare(is_ready);
            if (!ready) break;
            if (!is_hopeless(*ready)) return screening(*ready);
            prune(*ready);
        }
        return std::nullopt;
    }

  private:
    template <class IsReady>
    std::optional<std::size_t> next_of_batch(IsReady is_ready) {
        const auto found = std::ranges::find_if(batch_, is_ready);
        if (found == batch_.end()) return std::nullopt;
        const std::size_t i = *found;
        batch_.erase(found);
        return i;
    }

    std::vector<std::size_t> batch_;  ///< trials that next() has not returned
};

/// Screens the trials of a batch. @return false if the sweep is to stop
bool CellRunner::screen_batch(Strategy& strategy, std::span<const std::size_t> batch, RecordedStage& screened) {
    prepare_batch(strategy, batch, screened);
    BatchQueue queue(*this, strategy, screened, batch);
    while (!queue.is_over()) {
        queue.begin_time_slice();
        measure_queue(queue, [&] { sweep_.executor.measure_queue(queue); });
    }
    return !sweep_.stop;
}

/// Counts a trial that was left out because of its lower bound, once.
void CellRunner::count_pruned(std::size_t i) {
    sweep_.progress.result.pruned += !is_pruned_[i];
    is_pruned_[i] = true;
}

/// Counts a trial that was screened. @param best_us the best median before it
void CellRunner::count_screening(std::size_t i, const Measurement& screening, double best_us) {
    has_failed_[i] = has_failed_[i] || screening.status != Status::ok;
    // Spare trials, which are not part of the estimate, are counted as long as something is left of it.
    sweep_.progress.count_screening({cell_.n, cell_.regime}, screening, best_us,
                                    sweep_.executor.screening_seconds(cell_.n));
}

/// Compiles the kernels of a batch, all at once, unless they are compiled. Trials that will be pruned need none. Those
/// whose kernels are there first are screened meanwhile, and spare trials after them.
void CellRunner::prepare_batch(Strategy& strategy, std::span<const std::size_t> batch, RecordedStage& screened) {
    const double best_us = best_of(screened).us;
    std::vector<Trial> trials;
    for (const std::size_t i : batch) {
        if (!screened[i] && !is_prunable(strategy, cell_.trials[i], best_us)) trials.push_back(cell_.trials[i]);
    }
    ReadyQueue ready(*this, strategy, screened, batch);
    measure_queue(ready, [&] {
        sweep_.executor.prepare_and_screen(trials, {}, sweep_.stop, {cell_.n, cell_.regime, ready});
    });
}

bool CellRunner::is_prunable(const Strategy& strategy, const Trial& trial, double best_us) const {
    return strategy.allows_pruning() &&
           is_hopeless(trial, sweep_.executor.device(), sweep_.request.problem, {cell_.n, cell_.regime}, best_us);
}

}  // namespace redtune::search
