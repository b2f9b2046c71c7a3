#include "tuner/search/sweep_timing.h"

#include <gtest/gtest.h>

#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

using timing::Activity;

class SweepTimingTest : public SweepTest {
  protected:
    SweepResult run() { return sweep().run({}, stop_); }
    static std::size_t timed(const SweepResult& result, Stage stage) {
        return result.timing.timed_candidates[static_cast<std::size_t>(stage)];
    }
    static double seconds_of(std::size_t measurements) {
        return FakeExecutor::seconds_of_measurement * static_cast<double>(measurements);
    }
};

TEST_F(SweepTimingTest, HasTheTimeOfTheExecutorByActivity) {
    const SweepResult result = run();
    const SweepTiming& timing = result.timing;
    EXPECT_EQ(timed(result, Stage::screen), result.screened);
    EXPECT_GT(timed(result, Stage::final), 0U);
    EXPECT_EQ(timed(result, Stage::screen) + timed(result, Stage::survivor) + timed(result, Stage::final),
              result.measured);
    for (const auto& [stage, activity] :
         {std::pair(Stage::screen, Activity::screening), std::pair(Stage::survivor, Activity::survivor),
          std::pair(Stage::final, Activity::finalist)}) {
        EXPECT_NEAR(timing.spent[activity], seconds_of(timed(result, stage)), 1e-9);
    }
    EXPECT_NEAR(timing.gpu_busy_s(), seconds_of(result.measured), 1e-9);
    EXPECT_GT(timing.spent[Activity::database], 0);
    EXPECT_GT(timing.before_first_kernel_s, 0);
    EXPECT_GT(timing.after_first_kernel_s, 0);
}

TEST_F(SweepTimingTest, HasNoTimeIfNothingIsMeasured) {
    run();
    const SweepResult second = run();
    EXPECT_EQ(second.timing.after_first_kernel_s, 0);
    EXPECT_EQ(second.timing.gpu_busy_s(), 0);
    EXPECT_EQ(timed(second, Stage::screen), 0U);
}

TEST(SweepTiming, WhatBelongsToNoActivityIsOther) {
    SweepTiming timing;
    timing.after_first_kernel_s = 10;
    timing.spent[Activity::check] = 1;
    timing.spent[Activity::screening] = 2;
    timing.spent[Activity::compile] = 3;
    EXPECT_DOUBLE_EQ(timing.gpu_busy_s(), 3);
    EXPECT_DOUBLE_EQ(timing.other_s(), 4);
    timing.spent[Activity::compile] = 30;
    EXPECT_EQ(timing.other_s(), 0);
}

TEST(SweepTiming, SumsHaveAllParts) {
    SweepTiming one;
    one.before_first_kernel_s = 1;
    one.after_first_kernel_s = 2;
    one.spent[Activity::database] = 3;
    one.compiled_kernels = 4;
    one.timed_candidates = {5, 6, 7};
    SweepTiming sum = one;
    sum += one;
    EXPECT_EQ(sum.before_first_kernel_s, 2);
    EXPECT_EQ(sum.after_first_kernel_s, 4);
    EXPECT_EQ(sum.spent[Activity::database], 6);
    EXPECT_EQ(sum.compiled_kernels, 8U);
    EXPECT_EQ(sum.timed_candidates, (std::array<std::size_t, 3>{10, 12, 14}));
}

}  // namespace
}  // namespace redtune::search
