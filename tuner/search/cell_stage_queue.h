#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "tuner/search/cell_runner.h"

namespace redtune::search {

/// Trials of a cell that are to be measured at one stage. It stores their measurements.
class CellRunner::StageQueue : public TrialQueue {
  public:
    /// @param recorded gets the measurements
    StageQueue(CellRunner& runner, Stage stage, RecordedStage& recorded)
        : runner_(runner), stage_(stage), recorded_(recorded), best_(runner.best_of(recorded)) {}

    Stage stage() const { return stage_; }

    void report(Measurement measurement, bool /*is_device_busy*/) final {
        const std::size_t i = in_hand_.front();
        const Trial& trial = *first_in_hand();
        recorded_[i] = runner_.store(trial, std::move(measurement));
        in_hand_.pop_front();
        note(i, recorded_[i]->measurement);
        best_.update(trial, recorded_[i]->measurement);
        report_progress();
    }

    /// Returns the first trial that next() returned and that has no measurement yet; null if there is none.
    const Trial* first_in_hand() const { return in_hand_.empty() ? nullptr : &runner_.cell_.trials[in_hand_.front()]; }

  protected:
    /// Returns the request for a trial.
    TrialRequest request(std::size_t i, double best_us, bool skips_hard_sizes) {
        in_hand_.push_back(i);
        return {&runner_.cell_.trials[i],     runner_.cell_.n, runner_.cell_.regime, stage_, best_us, skips_hard_sizes,
                runner_.compiled_.contains(i)};
    }
    bool is_in_hand(std::size_t i) const { return std::ranges::find(in_hand_, i) != in_hand_.end(); }
    bool is_known(std::size_t i) const { return recorded_[i].has_value(); }
    /// Returns the best of the trials that have been measured.
    const BestTrial& best() const { return best_; }
    void report_progress() const { runner_.report(best_); }

    CellRunner& runner_;

  private:
    /// Takes a measurement that is stored and that best() does not count yet.
    virtual void note(std::size_t /*i*/, const Measurement& /*measurement*/) {}

    Stage stage_;
    RecordedStage& recorded_;
    BestTrial best_;
    std::deque<std::size_t> in_hand_;  ///< trials that next() returned and report() awaits
};

}  // namespace redtune::search
