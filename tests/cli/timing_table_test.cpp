#include "tuner/cli/timing_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/golden.h"

namespace redtune::cli {
namespace {

using timing::Activity;

search::SweepTiming example() {
    search::SweepTiming timing;
    timing.before_first_kernel_s = 0.75;
    timing.after_first_kernel_s = 10;
    timing.spent[Activity::check] = 2;
    timing.spent[Activity::screening] = 3.5;
    timing.spent[Activity::survivor] = 1.5;
    timing.spent[Activity::finalist] = 1.25;
    timing.spent[Activity::compile] = 1;
    timing.spent[Activity::prepare] = 0.5;
    timing.spent[Activity::database] = 0.125;
    timing.compiled_kernels = 321;
    timing.timed_candidates = {1150, 263, 106};
    return timing;
}

std::string printed_timing(const Table& table, Format format) {
    std::ostringstream out;
    table.print(out, format, 80);
    return out.str();
}

TEST(TimingTable, ShowsBusyAndIdleTimeWithTheirSums) {
    Table table = make_timing_table();
    add_timing(table, make_problem("sum", Type::f32), example());
    for (const auto& [format, name] :
         {std::pair(Format::table, "timing_table.txt"), std::pair(Format::csv, "timing_csv.txt")}) {
        const std::string text = printed_timing(table, format);
        EXPECT_EQ(text, test::golden(name, text));
    }
}

TEST(TimingTable, NamesTheProblemsIfThereAreSeveral) {
    Table table = make_timing_table();
    add_timing(table, make_problem("sum", Type::f32), example());
    add_timing(table, make_problem("min", Type::f32), example());
    EXPECT_THAT(printed_timing(table, Format::table), ::testing::HasSubstr("min"));
}

TEST(TimingTable, ASweepThatMeasuredNothingHasNoShares) {
    Table table = make_timing_table();
    add_timing(table, make_problem("sum", Type::f32), {});
    EXPECT_THAT(printed_timing(table, Format::csv), ::testing::HasSubstr("busy,checks and timings,,0,\r\n"));
}

}  // namespace
}  // namespace redtune::cli
