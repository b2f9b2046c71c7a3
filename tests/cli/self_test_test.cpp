#include "tuner/cli/self_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/search/sweep_fixture.h"
#include "tests/support/fake_ncu.h"
#include "tuner/cli/command.h"
#include "tuner/cli/self_test_output.h"

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A GPU on which a call of 1 Mi elements takes this long, in us.
class SelfTestOfAGpu : public search::SweepTest {
  protected:
    explicit SelfTestOfAGpu(double call_us = 250) {
        executor_.time_us = [call_us](const Trial& trial, std::uint64_t n, Regime) {
            return call_us * static_cast<double>(n) / (1 << 20) * (trial.rule.block == 128 ? 1 : 1.5);
        };
        task_.ordinal = 0;
    }

    int test() {
        Table table = make_self_test_table();
        testing::internal::CaptureStderr();
        const int exit_code = self_test(request_, {{executor_, "GPU 0", task_}}, families_, 2, table, stop_);
        printed_ = testing::internal::GetCapturedStderr();
        std::ostringstream out;
        table.print(out, Format::csv);
        table_ = out.str();
        return exit_code;
    }

    search::SweepRequest request_{make_problem("sum", Type::f32), {1 << 18, 1 << 20}, {Regime::cold}, true, "test"};
    search::WorkerTask task_;
    std::string printed_;
    std::string table_;
};

TEST_F(SelfTestOfAGpu, ComparesTheDurationsOfNcu) {
    // ncu's stand-in prints a duration of 255 us for each call, of two launches.
    const test::FakeNcu ncu("six_calls.csv");
    EXPECT_EQ(test(), done) << printed_;
    EXPECT_EQ(ncu.starts(), 2U) << "one for each size";
    EXPECT_THAT(printed_, AllOf(HasSubstr("The times that are taken on GPU 0 can be trusted."),
                                HasSubstr("durations were compared at 1 of 2 sizes")));
    EXPECT_THAT(table_, AllOf(HasSubstr(",1Mi,1048576,\"fake(block=128, blocks_per_sm=1)\",250,255,"),
                              HasSubstr(",256Ki,262144,\"fake(block=128, blocks_per_sm=1)\",62.5,255,")));
    EXPECT_THAT(ncu.arguments(),
                AllOf(HasSubstr("\nlaunch\n{"), HasSubstr("\"n\":1048576"), HasSubstr("\"block\":128")));
}

TEST_F(SelfTestOfAGpu, ADurationThatDiffersIsAFlaw) {
    executor_.time_us = [](const Trial&, std::uint64_t, Regime) { return 300.0; };
    const test::FakeNcu ncu("six_calls.csv");
    EXPECT_EQ(test(), drifted);
    EXPECT_THAT(printed_, AllOf(HasSubstr("GPU 0 cannot be trusted:\n  - at 256Ki Nsight Compute's duration of a call, "
                                          "255.00 us, differs by 15.00 % from redtune's time, 300.00 us"),
                                HasSubstr("  - at 1Mi Nsight")));
}

TEST_F(SelfTestOfAGpu, CountersThatAreNotPermittedAreNoFlaw) {
    const test::FakeNcu ncu("not_permitted.txt", 1);
    EXPECT_EQ(test(), done) << printed_;
    EXPECT_EQ(ncu.starts(), 1U) << "it is not asked again";
    EXPECT_THAT(printed_,
                HasSubstr("durations were not compared: the driver does not permit this user to read hardware "
                          "counters (ERR_NVGPUCTRPERM). Run the command as root"));
    EXPECT_THAT(table_, HasSubstr("\",250,,"));
}

TEST_F(SelfTestOfAGpu, OtherDataThanUniformAreNotProfiled) {
    request_.data = {timing::data_of(timing::DataKind::outlier)};
    const test::FakeNcu ncu("six_calls.csv");
    EXPECT_EQ(test(), done) << printed_;
    EXPECT_EQ(ncu.starts(), 0U);
    EXPECT_THAT(printed_, HasSubstr("this test had outlier; take --data uniform."));
}

TEST_F(SelfTestOfAGpu, AnInterruptionProfilesNothing) {
    executor_.stop = &stop_;
    executor_.stop_after = 5;
    const test::FakeNcu ncu("six_calls.csv");
    EXPECT_EQ(test(), interrupted);
    EXPECT_EQ(ncu.starts(), 0U);
    EXPECT_THAT(printed_, AllOf(HasSubstr("there is no verdict"), Not(HasSubstr("durations"))));
}

}  // namespace
}  // namespace redtune::cli
