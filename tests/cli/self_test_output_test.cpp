#include "tuner/cli/self_test_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

search::SelfTest self_test(int false_wins, double drift) {
    search::SelfTest test;
    test.sizes = {{.n = 1 << 20,
                   .first = Configuration{},
                   .second = Configuration{},
                   .first_us = 2,
                   .difference = 0.001,
                   .races = 100,
                   .false_wins = false_wins,
                   .largest_gap = 0.01,
                   .drift = drift}};
    return test;
}

TEST(SelfTestOutputTest, TheVerdictSaysWhatIsWrongAndWhatToDo) {
    EXPECT_EQ(judge("GPU 0", self_test(0, 0.01), false), "The times that are taken on GPU 0 can be trusted.\n");
    EXPECT_THAT(judge("GPU 0", self_test(7, 0.05), false),
                AllOf(HasSubstr("GPU 0 cannot be trusted:\n  - 7 of 100 races"), HasSubstr("  - the time of one"),
                      HasSubstr("drifted by 5.00 %; 2.00 % may be"), HasSubstr("nvidia-smi -q -d PERFORMANCE")));
}

}  // namespace
}  // namespace redtune::cli
