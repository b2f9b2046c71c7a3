#include "tuner/search/self_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// An executor of a machine that cannot be trusted.
class UnsteadyExecutor : public FakeExecutor {
  public:
    /// Multiplies times of interleaved rounds: that of trial i is longer by this factor.
    std::function<double(std::size_t i)> error = [](std::size_t) { return 1.0; };

    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int rounds) override {
        const bool is_race = trials.size() == 2 && trials[0] == trials[1];
        if (is_race && ++races == stops_race) throw Stopped();  // as a worker does
        std::vector<Measurement> measurements = FakeExecutor::compare(trials, n, regime, rounds);
        ++comparisons;
        for (std::size_t i = 0; i < measurements.size(); ++i) {
            for (double& us : measurements[i].samples_us) us *= error(i);
            if (measurements[i].status == Status::ok) summarise(measurements[i]);
        }
        return measurements;
    }

    int comparisons = 0;
    int races = 0;
    int stops_race = 0;  ///< the race with this number is stopped; 0: none
};

class SelfTestTest : public SweepTest {
  protected:
    SelfTest test(int races = 10) {
        return run_self_test(
            unsteady_, store_, second_, families_, request_, races, [&](const SweepProgress&) { ++shown_; }, stop_);
    }

    UnsteadyExecutor unsteady_;
    db::Store second_ = db::Store::open(folder_ / "second.db", db::Access::read_write);
    SweepRequest request_{make_problem("sum", Type::f32), {1 << 18, 1 << 20}, {Regime::cold}, true, "test"};
    int shown_ = 0;
};

TEST_F(SelfTestTest, ASteadyMachineHasNoFlaws) {
    const SelfTest done = test();
    EXPECT_THAT(done.flaws(), IsEmpty());
    EXPECT_FALSE(done.is_interrupted);
    ASSERT_EQ(done.sizes.size(), 2U);
    for (const SelfTestedSize& size : done.sizes) {
        EXPECT_EQ(to_string(size.first->configuration), "fake(block=128, blocks_per_sm=2)");
        EXPECT_EQ(size.second, size.first);
        EXPECT_EQ(size.races, 10);
        EXPECT_GT(size.first_us, 0);
        EXPECT_EQ(size.drift, 0);
    }
    EXPECT_GE(shown_, 20);
}

TEST_F(SelfTestTest, AContestantThatIsAlwaysSlowerIsAFalseWinOfTheOther) {
    unsteady_.error = [](std::size_t i) { return i == 0 ? 1.02 : 1.0; };
    const SelfTest done = test();
    EXPECT_EQ(done.sizes[0].false_wins, 10);
    EXPECT_NEAR(done.sizes[0].largest_gap, 0.02, 1e-6);
    EXPECT_THAT(done.flaws(), ElementsAre(HasSubstr("20 of 20 races")));
}

TEST_F(SelfTestTest, ADifferenceWithinATieIsNoWin) {
    unsteady_.error = [](std::size_t i) { return i == 0 ? 1.004 : 1.0; };
    EXPECT_EQ(test().sizes[0].false_wins, 0);
}

TEST_F(SelfTestTest, OneFalseWinInAHundredIsAllowed) {
    SelfTest done;
    done.sizes = {{.n = 1024, .first = Trial{}, .second = Trial{}, .races = 100, .false_wins = 1}};
    EXPECT_THAT(done.flaws(), IsEmpty());
    done.sizes[0].false_wins = 2;
    EXPECT_THAT(done.flaws(),
                ElementsAre("2 of 100 races of a configuration with itself were won by time; 1.00 % may be"));
}

TEST_F(SelfTestTest, DriftIsFound) {
    unsteady_.error = [&](std::size_t) { return 1 + 0.01 * unsteady_.comparisons; };
    const SelfTest done = test();
    EXPECT_GT(done.sizes[0].drift, 0.03);
    EXPECT_THAT(done.flaws(), Contains(HasSubstr("drifted by")));
}

TEST_F(SelfTestTest, SweepsThatDisagreeAreFound) {
    // The first sweep stores its last winner by now, so the second one finds other times.
    unsteady_.time_us = [&](const Trial& trial, std::uint64_t n, Regime) {
        const bool is_second = store_.latest_sweep_status(unsteady_.device(), request_.problem) == "finished";
        const double best = is_second && unsteady_.comparisons < 4 ? 64 : 128;
        return 1 + static_cast<double>(n) / 1e6 + std::abs(static_cast<double>(trial.rule.block) - best) / 256 +
               0.1 / trial.rule.blocks_per_sm;
    };
    const SelfTest done = test();
    EXPECT_EQ(to_string(done.sizes[0].first->configuration), "fake(block=128, blocks_per_sm=2)");
    EXPECT_EQ(to_string(done.sizes[0].second->configuration), "fake(block=64, blocks_per_sm=2)");
    EXPECT_GT(done.sizes[0].difference, 0.1);
    EXPECT_THAT(done.flaws(), ElementsAre(HasSubstr("differ by more than 0.50 % at 2 of 2 sizes")));
}

TEST_F(SelfTestTest, ASizeWithoutAWinnerIsAFlaw) {
    for (const int block : {32, 64, 128, 256}) {
        for (const int per_sm : {1, 2}) {
            unsteady_.failing.insert("fake(block=" + std::to_string(block) +
                                     ", blocks_per_sm=" + std::to_string(per_sm) + ")");
        }
    }
    EXPECT_THAT(test().flaws(), ElementsAre("a sweep found no winner at 256Ki", "a sweep found no winner at 1Mi"));
}

SelfTest profiled(double first_us, ProfiledCall call) {
    SelfTest test;
    test.sizes = {{.n = 1 << 28, .first = Trial{}, .second = Trial{}, .first_us = first_us, .profiled = call}};
    return test;
}

TEST(ProfiledDifference, AProfilersTimeMayDifferWithinTheLimit) {
    EXPECT_NEAR(*profiled(240, {250, 1}).sizes[0].profiled_difference(), 10.0 / 240, 1e-9);
    EXPECT_NEAR(*profiled(240, {230, 1}).sizes[0].profiled_difference(), 10.0 / 240, 1e-9);
    EXPECT_THAT(profiled(240, {250, 1}).flaws(), IsEmpty());
    EXPECT_THAT(profiled(250, {270, 1}).flaws(),
                ElementsAre("at 256Mi Nsight Compute's duration of a call, 270.00 us, differs by 8.00 % from redtune's "
                            "time, 250.00 us; 5.00 % may be. Clocks may fall before a call under ncu: fix them "
                            "(nvidia-smi -lgc) and test again"));
    EXPECT_EQ(profiled(250, {230, 1}).flaws().size(), 1U);
}

TEST(ProfiledDifference, ACallMustBeLongForEachOfItsLaunches) {
    EXPECT_FALSE(profiled(99, {150, 1}).sizes[0].profiled_difference());
    EXPECT_THAT(profiled(99, {150, 1}).flaws(), IsEmpty());
    EXPECT_TRUE(profiled(100, {150, 1}).sizes[0].profiled_difference());
    EXPECT_FALSE(profiled(100, {150, 2}).sizes[0].profiled_difference());
    EXPECT_TRUE(profiled(200, {250, 2}).sizes[0].profiled_difference());
    SelfTestedSize without;
    without.first_us = 200;
    EXPECT_FALSE(without.profiled_difference()) << "there is no time of a profiler";
}

TEST_F(SelfTestTest, AStoppedWorkerLeavesTheRacesSoFar) {
    unsteady_.stops_race = 4;
    const SelfTest done = test(1000);
    EXPECT_TRUE(done.is_interrupted);
    ASSERT_EQ(done.sizes.size(), 1U);
    EXPECT_EQ(done.sizes[0].races, 3);
    EXPECT_GT(done.sizes[0].first_us, 0);
}

TEST_F(SelfTestTest, StoppingEndsIt) {
    unsteady_.stop = &stop_;
    unsteady_.stop_after = 5;
    EXPECT_TRUE(test().is_interrupted);
    stop_ = false;
    unsteady_.measured = 0;
    unsteady_.stop_after = 60;  // in the races
    const SelfTest done = test(1000);
    EXPECT_TRUE(done.is_interrupted);
    EXPECT_LT(done.sizes.back().races, 1000);
}

}  // namespace
}  // namespace redtune::search
