#include "tuner/cli/self_test_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

search::SelfTest self_test(int false_wins, double drift) {
    search::SelfTest test;
    test.sizes = {{.n = 1 << 20,
                   .first = Trial{},
                   .second = Trial{},
                   .first_us = 2,
                   .difference = 0.001,
                   .races = 100,
                   .false_wins = false_wins,
                   .largest_gap = 0.01,
                   .drift = drift}};
    return test;
}

TEST(SelfTestOutputTest, TheVerdictSaysWhatIsWrongAndWhatToDo) {
    EXPECT_THAT(judge("GPU 0", self_test(0, 0.01), false, "no ncu"),
                StartsWith("The times that are taken on GPU 0 can be trusted.\n"));
    EXPECT_THAT(judge("GPU 0", self_test(7, 0.05), false, "no ncu"),
                AllOf(HasSubstr("GPU 0 cannot be trusted:\n  - 7 of 100 races"), HasSubstr("  - the time of one"),
                      HasSubstr("drifted by 5.00 %; 2.00 % may be"), HasSubstr("nvidia-smi -q -d PERFORMANCE")));
}

TEST(SelfTestOutputTest, TheLastLineSaysWhereDurationsWereCompared) {
    search::SelfTest test = self_test(0, 0.01);
    EXPECT_THAT(judge("GPU 0", test, false, "no ncu"), EndsWith("durations were not compared: no ncu.\n"));
    test.sizes[0].profiled = {4, 1};
    EXPECT_THAT(judge("GPU 0", test, false, ""),
                EndsWith("durations were not compared: no call takes 100 us for each of its launches; take a larger "
                         "--size.\n"));
    test.sizes.push_back(test.sizes[0]);
    test.sizes[1].first_us = 250;
    test.sizes[1].profiled = {252, 1};
    EXPECT_THAT(judge("GPU 0", test, false, ""),
                EndsWith("durations were compared at 1 of 2 sizes, where a call takes 100 us or more for each of its "
                         "launches.\n"));
    EXPECT_THAT(judge("GPU 0", test, false, "ncu ended"), EndsWith("launches. Others are missing: ncu ended.\n"));
}

TEST(SelfTestOutputTest, TheTableHasDurationsIfThereIsOne) {
    const auto printed = [](const search::SelfTest& test) {
        Table table = make_self_test_table();
        add_self_test(table, "GPU 0", make_problem("sum", Type::f32), test, {});
        std::ostringstream out;
        table.print(out, Format::table, 200);
        return out.str();
    };
    search::SelfTest test = self_test(0, 0.01);
    EXPECT_THAT(printed(test), Not(HasSubstr("ncu_us")));
    test.sizes[0].profiled = {2.5, 1};
    EXPECT_THAT(printed(test), AllOf(HasSubstr("time_us  ncu_us"), HasSubstr("   2.00    2.50")));
}

}  // namespace
}  // namespace redtune::cli
