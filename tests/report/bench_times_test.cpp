#include "tuner/report/bench_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::report {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(BenchTimes, ReadsTheCellsOfATable) {
    const auto times = parse_bench_csv(
        "op,dtype,shape,n,regime,redtune_us,cub_us,limit_us,configuration,device\n"
        "sum,f32,whole,256,cold,1.2,1.5,1.25,\"single_block(block=128, \"\"a\"\")\",NVIDIA H200\r\n"
        "argmin,f16,rows:32,4096,warm,,2,,x,\n");
    ASSERT_EQ(times.size(), 2U);
    EXPECT_EQ(times[0].problem, Problem());
    EXPECT_EQ(times[0].n, 256U);
    EXPECT_EQ(times[0].regime, Regime::cold);
    EXPECT_EQ(times[0].cub_us, 1.5);
    EXPECT_EQ(times[0].redtune_us, 1.2);
    EXPECT_EQ(times[0].limit_us, 1.25);
    EXPECT_EQ(times[0].device, "NVIDIA H200");
    EXPECT_EQ(times[1].problem, with_shape(make_problem("argmin", Type::f16), parse_shape("rows:32")));
    EXPECT_EQ(times[1].regime, Regime::warm);
    EXPECT_FALSE(times[1].redtune_us);
    EXPECT_FALSE(times[1].limit_us);
    EXPECT_EQ(times[1].device, "");
}

TEST(BenchTimes, LeavesOutOtherConditions) {
    const auto times = parse_bench_csv(
        "op,dtype,n,regime,alignment,streams,determinism,cub_determinism,data,cub_us\n"
        "sum,f32,1,cold,aligned,one,any,default,uniform,1\n"
        "sum,f32,2,cold,offset,one,any,default,uniform,1\n"
        "sum,f32,3,cold,aligned,several,any,default,uniform,1\n"
        "sum,f32,4,cold,aligned,one,run_to_run,default,uniform,1\n"
        "sum,f32,5,cold,aligned,one,any,default,normal,1\n"
        "sum,f32,6,cold,aligned,one,any,not_guaranteed,uniform,1\n");
    ASSERT_EQ(times.size(), 1U);
    EXPECT_EQ(times[0].n, 1U);
}

TEST(BenchTimes, RefusesOtherText) {
    const auto refuses = [](const std::string& text, const std::string& why) {
        EXPECT_THAT([&] { parse_bench_csv(text); }, ThrowsMessage<InputError>(HasSubstr(why))) << text;
    };
    const std::string head = "op,dtype,n,regime,cub_us\n";
    refuses(head + "sum,f32,1,cold\n", "line 2 of the comparison has 4 fields, not 5");
    refuses(head + "sum,f32,1,cold,fast\n", "cub_us is 'fast'; allowed is a positive number");
    refuses(head + "sum,f32,1,cold,-1\n", "cub_us is '-1'");
    refuses(head + "sum,f32,1e3,cold,1\n", "n is '1e3'");
    refuses("op,dtype,n,regime\nsum,f32,1,cold\n", "cub_us is ''");
    refuses(head + "sum,f32,1,hot,1\n", "hot");
    EXPECT_TRUE(parse_bench_csv("").empty());
}

TEST(BenchTimes, ReadsTheResultsOfTheProject) {
    const auto times = parse_bench_csv(db::read_file(test::source_path("docs/results/h200-cub.csv")));
    EXPECT_GT(times.size(), 100U);
    for (const BenchTime& time : times) {
        EXPECT_GT(time.cub_us, 0);
        EXPECT_TRUE(time.limit_us);
        EXPECT_EQ(time.device, "NVIDIA H200");
    }
}

}  // namespace
}  // namespace redtune::report
