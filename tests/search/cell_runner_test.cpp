#include "tuner/search/cell_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/search/sweep_fixture.h"
#include "tuner/search/planner.h"

namespace redtune::search {
namespace {

/// A strategy that screens a given number of random trials, one at a time.
class RandomStrategy : public Strategy {
  public:
    RandomStrategy(std::size_t trials, std::size_t budget, unsigned seed) : order_(trials), budget_(budget) {
        std::iota(order_.begin(), order_.end(), 0);
        std::shuffle(order_.begin(), order_.end(), std::mt19937(seed));
    }
    std::vector<std::size_t> next() override {
        if (told.size() >= budget_ || order_.empty()) return {};
        const std::size_t trial = order_.back();
        order_.pop_back();
        return {trial};
    }
    void tell(std::size_t trial, const Measurement&) override { told.push_back(trial); }
    void tell_pruned(std::size_t) override {}
    bool allows_pruning() const override { return false; }

    std::vector<std::size_t> told;

  private:
    std::vector<std::size_t> order_;
    std::size_t budget_;
};

/// A strategy whose every batch has two mutations of the best trial: the trial before it and the trial after it.
class EvolutionStrategy : public Strategy {
  public:
    explicit EvolutionStrategy(std::size_t trials) : times_(trials, 0) {}
    std::vector<std::size_t> next() override {
        ++generations;
        if (generations == 1) return {0, times_.size() - 1};
        const std::size_t before = best_;
        best_ = fittest();
        if (generations > 2 && best_ == before) return {};
        std::vector<std::size_t> children;
        for (const std::size_t child : {best_ - 1, best_ + 1}) {
            if (child < times_.size()) children.push_back(child);
        }
        return children;
    }
    void tell(std::size_t trial, const Measurement& screening) override { times_[trial] = screening.median_us; }
    void tell_pruned(std::size_t) override {}
    bool allows_pruning() const override { return false; }

    std::size_t fittest() const {
        std::size_t best = 0;
        for (std::size_t i = 0; i < times_.size(); ++i) {
            if (times_[i] > 0 && times_[i] < times_[best]) best = i;
        }
        return best;
    }
    int generations = 0;

  private:
    std::vector<double> times_;
    std::size_t best_ = 0;
};

/// Runs a strategy over the cell of one size.
class CellRunnerTest : public SweepTest {
  protected:
    CellRunnerTest() { executor_.stop = &stop_; }

    SweepResult run(Strategy& strategy) {
        ProgressReporter progress(plan_, 1, {});
        Division division(1, [this] { return stop_.load(); });
        std::mutex mutex;
        std::unique_lock turn(mutex);
        Division::Member member(division, turn);
        SweepRecord record(store_, executor_, families_, request_);
        CellRunner({executor_, request_, history_, record, progress, stop_, member}, plan_.cells[0]).run(strategy);
        return progress.result;
    }
    std::string name(std::size_t i) const { return to_string(plan_.cells[0].trials[i].configuration); }

    SweepRequest request_{make_problem("sum", Type::f32), {1 << 20}, {Regime::cold}, true, "test"};
    History history_{store_, executor_, families_, request_};
    SweepPlan plan_ = plan_sweep(executor_, families_, request_, history_);
};

TEST_F(CellRunnerTest, MeasuresTheTrialsOfARandomStrategyInItsOrder) {
    RandomStrategy random(plan_.cells[0].trials.size(), 3, 1);
    const SweepResult result = run(random);
    EXPECT_EQ(result.screened, 3U);
    std::vector<std::string> screened;
    for (const auto& entry : store_.measurements(executor_.device(), request_.problem, 1 << 20, Regime::cold)) {
        if (entry.measurement.stage == Stage::screen) screened.push_back(to_string(entry.configuration));
    }
    std::vector<std::string> asked;
    for (const std::size_t i : random.told) asked.push_back(name(i));
    EXPECT_EQ(screened, asked);
    EXPECT_THAT(asked, ::testing::Contains(winner(1 << 20))) << "the best of those that were screened wins";
}

TEST_F(CellRunnerTest, TellsTheStrategyStoredResultsBeforeItAsksForTrials) {
    RandomStrategy first(plan_.cells[0].trials.size(), 3, 1);
    run(first);
    RandomStrategy second(plan_.cells[0].trials.size(), 5, 2);
    EXPECT_EQ(run(second).screened, 2U) << "three of the budget are stored";
    EXPECT_TRUE(std::is_permutation(first.told.begin(), first.told.end(), second.told.begin()));
}

TEST_F(CellRunnerTest, AGenerationGetsTheResultsOfThePreviousOne) {
    // A larger value of either parameter makes a trial faster.
    executor_.time_us = [](const Trial& trial, std::uint64_t, Regime) {
        return 10 - static_cast<double>(trial.rule.block) / 128 - trial.rule.blocks_per_sm;
    };
    EvolutionStrategy evolution(plan_.cells[0].trials.size());
    const SweepResult result = run(evolution);
    EXPECT_EQ(name(evolution.fittest()), "fake(block=256, blocks_per_sm=2)");
    EXPECT_EQ(winner(1 << 20), "fake(block=256, blocks_per_sm=2)");
    EXPECT_LT(result.screened, plan_.cells[0].trials.size());
    EXPECT_GT(evolution.generations, 2);
}

/// The fastest trial, which is 3 % ahead of all others and so the only finalist, fails at one stage only.
class LateFailures : public CellRunnerTest, public ::testing::WithParamInterface<Stage> {
  protected:
    LateFailures() { executor_.failing_at[GetParam()] = {"fake(block=128, blocks_per_sm=2)"}; }

    SweepResult screen_all(unsigned seed) {
        RandomStrategy all(plan_.cells[0].trials.size(), plan_.cells[0].trials.size(), seed);
        return run(all);
    }
};

TEST_P(LateFailures, TheNextBestTrialWins) {
    const SweepResult result = screen_all(1);
    EXPECT_EQ(winner(1 << 20), "fake(block=128, blocks_per_sm=1)");
    EXPECT_EQ(result.without_winner, 0U);
    EXPECT_EQ(result.failed, 1U);
    EXPECT_EQ(screen_all(2).failed, 1U) << "the failure is known";
    EXPECT_EQ(winner(1 << 20), "fake(block=128, blocks_per_sm=1)");
}

INSTANTIATE_TEST_SUITE_P(Stages, LateFailures, ::testing::Values(Stage::survivor, Stage::final),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST_F(CellRunnerTest, ACellInWhichAllTrialsFailLateHasNoWinner) {
    for (std::size_t i = 0; i < plan_.cells[0].trials.size(); ++i) executor_.failing_at[Stage::final].insert(name(i));
    RandomStrategy all(plan_.cells[0].trials.size(), plan_.cells[0].trials.size(), 1);
    const SweepResult result = run(all);
    EXPECT_EQ(result.without_winner, 1U);
    EXPECT_EQ(result.failed, plan_.cells[0].trials.size());
    EXPECT_EQ(winner(1 << 20), "");
}

TEST_F(CellRunnerTest, StopsBetweenTwoMeasurements) {
    executor_.stop_after = 2;
    RandomStrategy random(plan_.cells[0].trials.size(), 8, 1);
    EXPECT_EQ(run(random).measured, 2U);
    EXPECT_EQ(stored(1 << 20), 2U);
    EXPECT_EQ(winner(1 << 20), "");
}

}  // namespace
}  // namespace redtune::search
