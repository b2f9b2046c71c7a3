// Runs sweeps with sizes between on an executor whose times have steps, and judges the look-ups that follow.
#include "tuner/search/between_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/search/sweep_fixture.h"
#include "tuner/core/log_uniform_sizes.h"
#include "tuner/lookup/snapshot.h"
#include "tuner/search/planner.h"

namespace redtune::search {
namespace {

/// An executor that cannot measure some sizes, as a replay cannot measure those that were not recorded.
class PartialExecutor : public FakeExecutor {
  public:
    explicit PartialExecutor(std::function<bool(std::uint64_t)> lacks) : lacks_(std::move(lacks)) {}
    std::optional<std::string> refuses(std::uint64_t n, Regime) const override {
        return lacks_(n) ? std::optional<std::string>("it was not recorded") : std::nullopt;
    }

  private:
    std::function<bool(std::uint64_t)> lacks_;
};

class BetweenStageTest : public SweepTest {
  protected:
    BetweenStageTest() {
        // A block with more threads takes longer, and every further wave of blocks adds a step to the time.
        executor_.time_us = [](const Trial& trial, std::uint64_t n, Regime) {
            const double block = trial.rule.block;
            const double waves = std::ceil(static_cast<double>(n) / (block * 1024 * trial.rule.blocks_per_sm));
            return 2 + block / 300 + static_cast<double>(n) / 4e6 + 0.4 * (waves - 1);
        };
    }

    SweepRequest request(std::size_t between, std::size_t checks = 0) {
        SweepRequest asked{problem_, {}, {Regime::cold}, true, "test"};
        for (std::uint64_t n = 1 << 12; n <= 1 << 20; n *= 2) asked.sizes.push_back(n);
        asked.between = between;
        asked.checks = checks;
        return asked;
    }

    SweepResult tune(const SweepRequest& asked) { return Sweep(executor_, store_, families_, asked).run({}, stop_); }

    /// Returns picked time / best time - 1 for sizes that were not tuned, in ascending order.
    std::vector<double> regrets() {
        const lookup::Snapshot snapshot({store_.winners()});
        const lookup::TunedSizes* tuned = snapshot.find(executor_.device().name, problem_, Regime::cold);
        std::vector<double> regrets;
        for (const std::uint64_t n : log_uniform_sizes((1 << 12) + 1, (1 << 20) - 1, 500, 3)) {
            const auto picked = lookup::pick(tuned->sizes, n);
            double best = 1e9;
            double own = 0;
            for (const Trial& trial : trials_of(executor_, families_, problem_, n, Regime::cold)) {
                const double us = executor_.time_us(trial, n, Regime::cold);
                best = std::min(best, us);
                if (trial.configuration == picked->tuned->configuration) own = us;
            }
            EXPECT_GT(own, 0) << "the pick is no candidate for " << n;
            regrets.push_back(own / best - 1);
        }
        std::sort(regrets.begin(), regrets.end());
        return regrets;
    }

    Problem problem_ = make_problem("sum", Type::f32);
};

TEST_F(BetweenStageTest, LookUpsLoseLittleBetweenTheSizes) {
    tune(request(0));
    const std::vector<double> without = regrets();
    tune(request(3));
    const std::vector<double> with = regrets();
    EXPECT_GT(without.back(), 0.10) << "the times must have steps that matter";
    EXPECT_LT(with[with.size() / 2], 0.005);
    EXPECT_LT(with[with.size() * 95 / 100], 0.02);
    // The stage locates a step only to 0.05 % of n, so look-ups at sizes close to a step may lose more.
    EXPECT_LT(with[with.size() * 99 / 100], 0.08);
    EXPECT_LT(with.back(), without.back());
}

TEST_F(BetweenStageTest, FindsAConfigurationThatIsTheBestOnlyAtOddSizes) {
    executor_.time_us = [](const Trial& trial, std::uint64_t n, Regime) {
        const bool is_good_at_odd_sizes = trial.rule.block == 256;
        return (is_good_at_odd_sizes ? (n % 2 == 1 ? 0.8 : 1.5) : 1 + trial.rule.block * 1e-3) *
               (2 + static_cast<double>(n) * 1e-5);
    };
    tune(request(3));
    for (const db::StoredWinner& winner : store_.winners()) {
        EXPECT_EQ(winner.measurement.rule.block, winner.n % 2 == 1 ? 256U : 32U) << winner.n;
    }
}

TEST_F(BetweenStageTest, ASecondRunMeasuresNothing) {
    EXPECT_GT(tune(request(3, 8)).measured, 0U);
    Sweep again(executor_, store_, families_, request(3, 8));
    EXPECT_TRUE(again.is_done());
    EXPECT_EQ(again.run({}, stop_).measured, 0U);
    EXPECT_FALSE(Sweep(executor_, store_, families_, request(4, 8)).is_done()) << "more sizes are asked for";
}

TEST_F(BetweenStageTest, AnInterruptedRunResumesAndEndsWithTheSameWinners) {
    const SweepResult whole = tune(request(2));
    const auto expected = store_.winners();
    for (const std::size_t cut : {whole.measured / 2, whole.measured * 3 / 4, whole.measured - 1}) {
        db::Store fresh = db::Store::open(folder_ / ("cut" + std::to_string(cut) + ".db"), db::Access::read_write);
        std::swap(store_, fresh);
        executor_.stop = &stop_;
        executor_.measured = 0;
        executor_.stop_after = cut;
        EXPECT_TRUE(tune(request(2)).interrupted);
        stop_ = false;
        executor_.stop_after = 0;
        EXPECT_FALSE(tune(request(2)).interrupted);
        const auto resumed = store_.winners();
        ASSERT_EQ(resumed.size(), expected.size());
        for (std::size_t i = 0; i < resumed.size(); ++i) {
            EXPECT_EQ(resumed[i].n, expected[i].n);
            EXPECT_EQ(resumed[i].measurement.configuration, expected[i].measurement.configuration);
        }
    }
}

TEST_F(BetweenStageTest, SizesThatCannotBeMeasuredAreLeftOut) {
    PartialExecutor partial([](std::uint64_t n) { return n % 2 == 1; });
    Sweep(partial, store_, families_, request(3)).run({}, stop_);
    EXPECT_EQ(store_.recorded_sizes(partial.device(), problem_, Regime::cold).size(), request(3).sizes.size());
}

TEST_F(BetweenStageTest, ASweepIsDoneEvenIfSomeSizesCannotBeMeasured) {
    PartialExecutor partial([](std::uint64_t n) { return n % 1024 == 1; });
    Sweep(partial, store_, families_, request(3)).run({}, stop_);
    EXPECT_GT(store_.recorded_sizes(partial.device(), problem_, Regime::cold).size(), request(3).sizes.size());
    EXPECT_TRUE(Sweep(partial, store_, families_, request(3)).is_done());
}

TEST_F(BetweenStageTest, NeighbouringWinnersAreTimedAtEachOthersSizes) {
    tune(request(3));
    const lookup::Snapshot snapshot({store_.winners()});
    const auto& sizes = snapshot.find(executor_.device().name, problem_, Regime::cold)->sizes;
    std::size_t high = 0;
    for (std::size_t low = 1; (high = lookup::next_interpolation_size(sizes, low, 1)) < sizes.size(); low = high) {
        EXPECT_GT(sizes[low].of_upper_winner_us, 0) << sizes[low].n << " and " << sizes[high].n;
        EXPECT_GT(sizes[high].of_lower_winner_us, 0) << sizes[low].n << " and " << sizes[high].n;
    }
}

TEST_F(BetweenStageTest, EachUnitMeasuresTheSizesBetween) {
    tune(request(3));
    executor_.use_unit("GPU-2");
    EXPECT_FALSE(Sweep(executor_, store_, families_, request(3)).is_done());
    tune(request(3));
    EXPECT_TRUE(Sweep(executor_, store_, families_, request(3)).is_done());
    for (const db::StoredWinner& winner : store_.winners()) EXPECT_EQ(winner.units, 2U) << winner.n;
}

TEST_F(BetweenStageTest, SizesThatWereTunedNeedNoCheck) {
    SweepRequest checked_sizes = request(0);
    checked_sizes.sizes = log_uniform_sizes((1 << 12) + 1, (1 << 20) - 1, 8, 16);
    tune(checked_sizes);
    tune(request(3, 8));
    EXPECT_TRUE(store_.checked_sizes(executor_.device(), problem_, Regime::cold).empty());
    EXPECT_TRUE(Sweep(executor_, store_, families_, request(3, 8)).is_done());
}

TEST_F(BetweenStageTest, ChecksStoreTheRegretAndTuneNothing) {
    tune(request(3, 8));
    const std::size_t winners = store_.winners().size();
    const auto checked = store_.checked_sizes(executor_.device(), problem_, Regime::cold);
    EXPECT_EQ(checked, log_uniform_sizes((1 << 12) + 1, (1 << 20) - 1, 8, 16));
    const auto regret = store_.regret(executor_.device().name, problem_, Regime::cold);
    ASSERT_TRUE(regret);
    EXPECT_EQ(regret->sizes, 8U);
    EXPECT_GE(regret->median, 0);
    EXPECT_LT(regret->largest, 0.08);
    for (const db::StoredWinner& winner : store_.winners()) {
        EXPECT_FALSE(std::binary_search(checked.begin(), checked.end(), winner.n)) << winner.n;
    }
    tune(request(3, 12));
    EXPECT_EQ(store_.winners().size(), winners);
}

}  // namespace
}  // namespace redtune::search
