#include "tuner/search/self_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/core/size_list.h"
#include "tuner/core/statistics.h"
#include "tuner/search/choose.h"
#include "tuner/search/stored_trial.h"
#include "tuner/search/sweep.h"
#include "tuner/timing/constants.h"

namespace redtune::search {

namespace {

/// Returns the winner of a sweep as a trial; nullopt: there is none.
std::optional<Trial> winner_of(const db::Store& store, const Executor& executor, const std::vector<Family>& families,
                               const SweepRequest& request, std::uint64_t n) {
    const auto winner =
        store.unit_winner(executor.device(), request.problem, n, request.regimes.front(), request.problem.determinism);
    if (!winner) return std::nullopt;
    return stored_trial(winner->measurement, families);
}

/// Returns whether a race of equal contestants has a winner by time. A tie is won by the simpler contestant, so the
/// race is decided by time if the same one wins whichever is simpler.
bool is_won_by_time(const std::vector<Measurement>& race) {
    const std::vector<std::vector<Measurement>> on_data = {race};
    const std::vector<Simplicity> first_is_simpler = {{true, 0}, {true, 1}};
    const std::vector<Simplicity> second_is_simpler = {{true, 1}, {true, 0}};
    const auto one = choose(on_data, first_is_simpler);
    const auto other = choose(on_data, second_is_simpler);
    return one && other && one->winner == other->winner;
}

bool are_ok(const std::vector<Measurement>& measurements) {
    return std::ranges::all_of(measurements, [](const Measurement& each) { return each.status == Status::ok; });
}

double gap(const std::vector<Measurement>& pair) {
    const auto [fast, slow] = std::minmax(pair[0].median_us, pair[1].median_us);
    return slow / fast - 1;
}

/// The measurements of the self-test at one size.
class SizeTest {
  public:
    SizeTest(Executor& executor, Regime regime, std::uint64_t n, const std::atomic<bool>& stop)
        : executor_(executor), regime_(regime), stop_(stop) {
        tested_.n = n;
    }

    void compare_winners(const Trial& first, const Trial& second) {
        tested_.first = first;
        tested_.second = second;
        if (first.configuration == second.configuration || stop_) return;
        executor_.prepare(std::vector{first, second}, {}, stop_);
        const std::vector<Measurement> pair = race(first, second);
        if (are_ok(pair)) tested_.difference = gap(pair);
    }

    /// @param show is called after each race
    void race_with_itself(const Trial& trial, int races, const std::function<void(int race)>& show) {
        executor_.prepare(std::vector{trial}, {}, stop_);
        while (tested_.races < races && !stop_) {
            const std::vector<Measurement> pair = race(trial, trial);
            if (!are_ok(pair)) return;
            ++tested_.races;
            tested_.false_wins += is_won_by_time(pair);
            tested_.largest_gap = std::max(tested_.largest_gap, gap(pair));
            medians_.push_back((pair[0].median_us + pair[1].median_us) / 2);
            show(tested_.races);
        }
    }

    SelfTestedSize result() const {
        SelfTestedSize result = tested_;
        if (medians_.empty()) return result;
        result.first_us = median(medians_);
        for (const double us : medians_) {
            result.drift = std::max(result.drift, std::abs(us / result.first_us - 1));
        }
        return result;
    }

  private:
    std::vector<Measurement> race(const Trial& a, const Trial& b) {
        return executor_.compare(std::vector{a, b}, tested_.n, regime_, timing::final_rounds);
    }

    Executor& executor_;
    Regime regime_;
    const std::atomic<bool>& stop_;
    SelfTestedSize tested_;
    std::vector<double> medians_;  ///< of the races, in us
};

std::string percent(double fraction) {
    return fmt::format("{:.2f} %", 100 * fraction);
}

}  // namespace

std::optional<double> SelfTestedSize::profiled_difference() const {
    if (!profiled || first_us < least_profiled_launch_us * profiled->launches) return std::nullopt;
    return std::abs(profiled->us / first_us - 1);
}

std::vector<std::string> SelfTest::flaws() const {
    std::vector<std::string> flaws;
    int races = 0;
    int false_wins = 0;
    std::size_t agreed = 0;
    double drift = 0;
    for (const SelfTestedSize& size : sizes) {
        if (!size.first || !size.second)
            flaws.push_back(fmt::format("a sweep found no winner at {}", format_size(size.n)));
        races += size.races;
        false_wins += size.false_wins;
        agreed += size.difference <= most_difference;
        drift = std::max(drift, size.drift);
    }
    if (false_wins > most_false_wins * races) {
        flaws.push_back(fmt::format("{} of {} races of a configuration with itself were won by time; {} may be",
                                    false_wins, races, percent(most_false_wins)));
    }
    if (static_cast<double>(agreed) < least_agreement * static_cast<double>(sizes.size())) {
        flaws.push_back(fmt::format("two sweeps chose winners that differ by more than {} at {} of {} sizes",
                                    percent(most_difference), sizes.size() - agreed, sizes.size()));
    }
    if (drift > most_drift) {
        flaws.push_back(
            fmt::format("the time of one configuration drifted by {}; {} may be", percent(drift), percent(most_drift)));
    }
    for (const SelfTestedSize& size : sizes) {
        const std::optional<double> difference = size.profiled_difference();
        if (!difference || *difference <= most_profiled_difference) continue;
        flaws.push_back(
            fmt::format("at {} Nsight Compute's duration of a call, {:.2f} us, differs by {} from redtune's time, "
                        "{:.2f} us; {} may "
                        "be. Clocks may fall before a call under ncu: fix them (nvidia-smi -lgc) and test again",
                        format_size(size.n), size.profiled->us, percent(*difference), size.first_us,
                        percent(most_profiled_difference)));
    }
    return flaws;
}

SelfTest run_self_test(Executor& executor, db::Store& first, db::Store& second, const std::vector<Family>& families,
                       const SweepRequest& request, int races, const std::function<void(const SweepProgress&)>& show,
                       const std::atomic<bool>& stop) {
    SelfTest test;
    for (db::Store* store : {&first, &second}) {
        test.is_interrupted =
            test.is_interrupted || Sweep(executor, *store, families, request).run(show, stop).interrupted;
        if (test.is_interrupted) return test;
    }
    executor.use_data(request.data.front());
    for (const std::uint64_t n : request.sizes) {
        SizeTest size(executor, request.regimes.front(), n, stop);
        try {
            const std::optional<Trial> one = winner_of(first, executor, families, request, n);
            const std::optional<Trial> other = winner_of(second, executor, families, request, n);
            if (one && other) {
                size.compare_winners(*one, *other);
                Cell cell;
                cell.n = n;
                cell.regime = request.regimes.front();
                size.race_with_itself(*one, races, [&](int race) {
                    SweepProgress now;
                    now.cell = &cell;
                    now.done = static_cast<std::size_t>(race);
                    now.total = static_cast<std::size_t>(races);
                    now.best = "A/A races of " + to_string(one->configuration);
                    show(now);
                });
            }
        } catch (const Stopped&) {
            test.is_interrupted = true;
        }
        test.sizes.push_back(size.result());
        test.is_interrupted = test.is_interrupted || stop;
        if (test.is_interrupted) return test;
    }
    return test;
}

}  // namespace redtune::search
