// The first stage of CellRunner: screening.
#include <chrono>
#include <deque>
#include <utility>

#include "redtune/error.h"
#include "tuner/search/cell_runner.h"
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
    std::vector<std::size_t> batch = strategy.next();
    while (!batch.empty() && !is_out_of_time(best_of(screened))) {
        if (!screen_batch(strategy, batch, screened)) return std::nullopt;
        batch = strategy.next();
    }
    return screened;
}

/// The trials of a batch that are to be screened. It stores their measurements and tells the strategy of them.
class CellRunner::BatchQueue final : public ScreeningQueue {
  public:
    BatchQueue(CellRunner& runner, Strategy& strategy, std::span<const std::size_t> batch, RecordedStage& screened)
        : runner_(runner), strategy_(strategy), left_(batch), screened_(screened), best_(runner.best_of(screened)) {}

    /// Returns whether the screening ends here.
    bool is_over() const { return left_.empty() || runner_.sweep_.stop || runner_.is_out_of_time(best_); }

    /// Begins a time slice with the next trial. At its end, next() returns none, so that another cell which shares the
    /// executor gets one.
    void begin_time_slice() { end_of_slice_.reset(); }

    std::optional<ScreeningRequest> next() override {
        const auto now = TimeBudget::Clock::now();
        if (!end_of_slice_) end_of_slice_ = now + time_slice;
        while (!is_over()) {
            const std::size_t i = left_.front();
            const bool is_known = screened_[i].has_value();
            const bool is_hopeless = !is_known && runner_.is_prunable(strategy_, runner_.cell_.trials[i], best_.us);
            if (!is_known && !is_hopeless && now >= *end_of_slice_) break;
            left_ = left_.subspan(1);
            if (is_known) {
                runner_.report(best_);
            } else if (is_hopeless) {
                runner_.count_pruned(i);
                strategy_.tell_pruned(i);
            } else {
                in_hand_.push_back(i);
                return ScreeningRequest{&runner_.cell_.trials[i], best_.us, has_passed(runner_.cell_.trials[i])};
            }
        }
        return std::nullopt;
    }

    void report(Measurement measurement) override {
        const std::size_t i = in_hand_.front();
        const Trial& trial = *first_in_hand();
        screened_[i] = runner_.store(trial, std::move(measurement));
        in_hand_.pop_front();
        runner_.count_screening(i, screened_[i]->measurement, best_.us);
        best_.update(trial, screened_[i]->measurement);
        note_if_passed(trial, screened_[i]->measurement);
        strategy_.tell(i, screened_[i]->measurement);
        runner_.report(best_);
    }

    /// Returns the first trial that next() returned and that has no measurement yet; null if there is none.
    const Trial* first_in_hand() const { return in_hand_.empty() ? nullptr : &runner_.cell_.trials[in_hand_.front()]; }

  private:
    /// Enough for several small trials, between which the executor need not wait for the search.
    static constexpr std::chrono::milliseconds time_slice{50};

    /// Returns whether the trial's configuration has passed a screening of another cell or unit.
    bool has_passed(const Trial& trial) const {
        const auto* passed = runner_.sweep_.passed;
        return passed != nullptr && passed->contains(to_string(trial.configuration));
    }

    void note_if_passed(const Trial& trial, const Measurement& screening) const {
        auto* passed = runner_.sweep_.passed;
        if (passed != nullptr && screening.status == Status::ok) passed->insert(to_string(trial.configuration));
    }

    CellRunner& runner_;
    Strategy& strategy_;
    std::span<const std::size_t> left_;
    RecordedStage& screened_;
    BestTrial best_;
    std::optional<TimeBudget::Clock::time_point> end_of_slice_;  ///< empty before the first trial
    std::deque<std::size_t> in_hand_;                            ///< trials that next() returned and report() awaits
};

/// Screens the trials of a batch. @return false if the sweep is to stop
bool CellRunner::screen_batch(Strategy& strategy, std::span<const std::size_t> batch, RecordedStage& screened) {
    prepare_batch(strategy, batch, screened);
    BatchQueue queue(*this, strategy, batch, screened);
    while (!queue.is_over()) {
        queue.begin_time_slice();
        try {
            sweep_.executor.screen(cell_.n, cell_.regime, queue);
        } catch (const ExecutorLost&) {
            throw;
        } catch (const DeviceError& error) {
            if (queue.first_in_hand() == nullptr) throw;
            store_and_throw(*queue.first_in_hand(), Stage::screen, error);
        }
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
    const double estimate_s = sweep_.executor.screening_seconds(cell_.n);
    sweep_.progress.count_screening(screening, best_us, estimate_s);
    estimate_left_s_ -= estimate_s;
}

/// Compiles the kernels of a batch, all at once, unless they are compiled. Trials that will be pruned need none.
void CellRunner::prepare_batch(const Strategy& strategy, std::span<const std::size_t> batch,
                               const RecordedStage& screened) {
    const double best_us = best_of(screened).us;
    std::vector<Trial> trials;
    for (const std::size_t i : batch) {
        if (!screened[i] && !is_prunable(strategy, cell_.trials[i], best_us)) trials.push_back(cell_.trials[i]);
    }
    sweep_.executor.prepare(trials, {}, sweep_.stop);
}

bool CellRunner::is_prunable(const Strategy& strategy, const Trial& trial, double best_us) const {
    return strategy.allows_pruning() &&
           is_hopeless(trial, sweep_.executor.device(), sweep_.problem, {cell_.n, cell_.regime}, best_us);
}

}  // namespace redtune::search
