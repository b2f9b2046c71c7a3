// How WorkerExecutor compares.
#include <algorithm>
#include <utility>
#include <vector>

#include "tuner/search/worker_executor.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

namespace {

/// Rounds of a trial that is run alone to see whether it fails.
constexpr int rounds_alone = 2;

}  // namespace

/// A comparison of trials that may take the worker down.
class WorkerExecutor::Comparison {
  public:
    Comparison(WorkerExecutor& executor, std::span<const Trial> trials, std::uint64_t n, Regime regime, int rounds)
        : executor_(executor), trials_(trials), n_(n), regime_(regime), rounds_(rounds), measurements_(trials.size()) {
        for (std::size_t i = 0; i < trials.size(); ++i) {
            if (auto known = executor.known_failure(trials[i], Stage::final)) {
                measurements_[i] = std::move(*known);
            } else {
                left_.push_back(i);
            }
        }
    }

    std::vector<Measurement> run() {
        while (!left_.empty() && !compare_left()) {
            if (remove_failing()) continue;
            for (const std::size_t i : left_) run_alone(i, rounds_);
            break;
        }
        return std::move(measurements_);
    }

  private:
    /// Compares the trials that are left. @return false if the worker was lost
    bool compare_left() {
        std::vector<Trial> trials;
        for (const std::size_t i : left_) trials.push_back(trials_[i]);
        executor_.ready_worker();
        try {
            std::vector<Measurement> compared = ask(trials, rounds_);
            for (std::size_t i = 0; i < left_.size(); ++i) measurements_[left_[i]] = std::move(compared[i]);
            return true;
        } catch (const WorkerFailure& error) {
            if (left_.size() > 1) return false;
            measurements_[left_.front()] = executor_.failed(trials_[left_.front()], n_, Stage::final, error);
            return true;
        }
    }

    /// Runs each trial that is left alone and removes those that fail. @return whether there are any
    bool remove_failing() {
        return std::erase_if(left_, [&](std::size_t i) { return !run_alone(i, std::min(rounds_, rounds_alone)); }) != 0;
    }

    /// @return whether the worker survived
    bool run_alone(std::size_t i, int rounds) {
        executor_.ready_worker();
        try {
            measurements_[i] = std::move(ask({trials_[i]}, rounds).front());
            return true;
        } catch (const WorkerFailure& error) {
            measurements_[i] = executor_.failed(trials_[i], n_, Stage::final, error);
            return false;
        }
    }

    std::vector<Measurement> ask(const std::vector<Trial>& trials, int rounds) {
        const double screenings = std::max(1.0, rounds / static_cast<double>(timing::screen_samples));
        return executor_.ask(CompareRequest{trials, n_, regime_, static_cast<std::uint32_t>(rounds)}, trials,
                             Stage::final, executor_.limit_s(trials, n_, screenings));
    }

    WorkerExecutor& executor_;
    std::span<const Trial> trials_;
    std::uint64_t n_;
    Regime regime_;
    int rounds_;
    std::vector<Measurement> measurements_;
    std::vector<std::size_t> left_;  ///< indices of the trials that have not failed
};

std::vector<Measurement> WorkerExecutor::compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                                 int rounds) {
    return Comparison(*this, trials, n, regime, rounds).run();
}

}  // namespace redtune::search
