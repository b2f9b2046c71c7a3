#include "tuner/report/measure_ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"
#include "tests/report/fake_ladder_bench.h"
#include "tuner/jit/source_set.h"

namespace redtune::report {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class MeasureLadder : public testing::Test {
  protected:
    LadderResult measure(const LadderSetup& setup) {
        return measure_ladder(
            setup, families_, bench_, [&](const std::string& line) { said_.push_back(line); }, stop_);
    }

    LadderSetup ladder(Problem problem, std::uint64_t n, const std::vector<std::string>& names) const {
        std::vector<Family> steps;
        for (const std::string& name : names) steps.push_back(jit::find_family(families_, name));
        return custom_ladder(std::move(problem), n, 256, steps);
    }

    LadderSetup two_steps() const {
        return ladder(make_problem("sum", Type::f32), 1 << 20, {"shared_modulo", "shared_strided"});
    }

    std::vector<Family> families_ = jit::SourceSet::load().families();
    FakeLadderBench bench_;
    std::vector<std::string> said_;
    std::atomic<bool> stop_ = false;
};

TEST_F(MeasureLadder, TimesTheKernelAloneAndTheWholeCall) {
    const LadderResult result = measure(two_steps());
    ASSERT_EQ(result.steps.size(), 2U);
    EXPECT_EQ(result.steps[0].family, "shared_modulo");
    EXPECT_EQ(result.steps[0].configuration, "shared_modulo(block=256)");
    EXPECT_EQ(result.steps[0].call_us, 180) << "not the screening's time";
    EXPECT_EQ(result.steps[0].kernel_us, 176);
    EXPECT_EQ(result.failed, 0U);
    EXPECT_EQ(bench_.sizes, (std::vector<std::uint64_t>{1 << 20}));
}

TEST_F(MeasureLadder, EndsWithTheBestOfRedtunesOwnKernels) {
    bench_.us = [](const Configuration& configuration) {
        const Value* finish = configuration.find("finish");
        const bool is_best = finish != nullptr && redtune::to_string(*finish) == "ticket" &&
                             redtune::to_string(*configuration.find("block")) == "512";
        return is_best ? 20.0 : 100.0;
    };
    const LadderResult result = measure(two_steps());
    ASSERT_TRUE(result.redtune);
    EXPECT_EQ(result.redtune->family, "grid_stride_wide");
    EXPECT_THAT(result.redtune->configuration, HasSubstr("block=512"));
    EXPECT_THAT(result.redtune->configuration, HasSubstr("finish=ticket"));
    EXPECT_EQ(result.redtune->call_us, 20);
    EXPECT_EQ(result.redtune->kernel_us, 20) << "a call of one launch is its kernel";
    EXPECT_THAT(said_, Contains(HasSubstr("candidates of grid_stride_wide, single_block")));
}

TEST_F(MeasureLadder, OfRowsTheOwnKernelsAreThoseForRows) {
    Problem problem = make_problem("sum", Type::i32);
    problem.row_length = 32;
    const LadderResult result = measure(ladder(problem, 1 << 20, {"segment_shared", "segment_shuffle"}));
    ASSERT_TRUE(result.redtune);
    EXPECT_EQ(result.redtune->family, "rows_wide");
    EXPECT_EQ(result.steps[1].configuration, "segment_shuffle(block=256, lanes=32)");
}

TEST_F(MeasureLadder, AStepThatFailsKeepsItsLineAndSaysWhy) {
    bench_.wrong = {"shared_modulo"};
    const LadderResult result = measure(two_steps());
    ASSERT_EQ(result.steps.size(), 2U);
    EXPECT_EQ(result.steps[0].configuration, "shared_modulo(block=256)");
    EXPECT_FALSE(result.steps[0].kernel_us);
    EXPECT_FALSE(result.steps[0].call_us);
    EXPECT_TRUE(result.steps[1].call_us);
    EXPECT_EQ(result.failed, 1U);
    EXPECT_THAT(said_, Contains("custom: shared_modulo(block=256): wrong: expected 1, got 2"));
}

TEST_F(MeasureLadder, AStepWithoutACandidateFails) {
    // A destructive kernel stores accumulators in place of input elements, so they must not be larger; sums of i8 have
    // accumulators of 32 bits.
    const LadderResult result = measure(ladder(make_problem("sum", Type::i8), 1 << 20, {"neighbored"}));
    ASSERT_EQ(result.steps.size(), 1U);
    EXPECT_EQ(result.steps[0].family, "neighbored");
    EXPECT_EQ(result.steps[0].configuration, "");
    EXPECT_EQ(result.failed, 1U);
    EXPECT_THAT(said_, Contains(HasSubstr("custom: neighbored: no candidate")));
}

TEST_F(MeasureLadder, WithoutAnOwnKernelTheLineIsEmpty) {
    bench_.wrong = {"grid_stride_wide", "single_block"};
    const LadderResult result = measure(two_steps());
    ASSERT_TRUE(result.redtune);
    EXPECT_EQ(result.redtune->configuration, "");
    EXPECT_FALSE(result.redtune->call_us);
    EXPECT_GT(result.failed, 1U) << "each candidate of the screening counts";
    EXPECT_THAT(said_, Contains("custom: redtune: no candidate of grid_stride_wide, single_block is left"));
}

TEST_F(MeasureLadder, KeepsWhatIsMeasuredWhenStopped) {
    int measurements = 0;
    bench_.before_each = [&] { stop_ = ++measurements == 5; };  // screening, call and kernel of a step are three
    const LadderResult result = measure(two_steps());
    EXPECT_EQ(result.steps.size(), 1U);
    EXPECT_FALSE(result.redtune);
    EXPECT_EQ(measurements, 5);
}

TEST_F(MeasureLadder, SaysWhichConfigurationTookTheDeviceDown) {
    bench_.before_each = [] { throw DeviceError("an illegal address"); };
    try {
        measure(two_steps());
        FAIL() << "the device is lost";
    } catch (const DeviceError& error) {
        EXPECT_STREQ(error.what(), "shared_modulo(block=256) made the device unusable: an illegal address");
    }
}

TEST_F(MeasureLadder, ThePublishedLaddersRunToTheirEnd) {
    for (const LadderSetup& setup : published_ladders(families_)) {
        const LadderResult result = measure(setup);
        EXPECT_EQ(result.steps.size(), setup.steps.size());
        EXPECT_EQ(result.failed, 0U) << setup.name;
    }
    EXPECT_TRUE(bench_.problems.front().destructive);
    EXPECT_THAT(said_, Not(Contains(HasSubstr("no candidate"))));
}

}  // namespace
}  // namespace redtune::report
