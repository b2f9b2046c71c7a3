#include "tuner/report/counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::report {
namespace {

TEST(Counters, ReadsEachLaunchOfARawPage) {
    const auto launches = parse_counters(db::read_file(test::source_path("tests/cli/ncu/two_launches.csv")));
    ASSERT_EQ(launches.size(), 2U);
    EXPECT_EQ(launches[0].kernel, "tile_per_block");
    EXPECT_EQ(launches[0].instructions_per_warp, 76.5);
    EXPECT_EQ(launches[0].load_sectors, 16);
    EXPECT_EQ(launches[0].load_efficiency, 100);
    EXPECT_DOUBLE_EQ(*launches[0].load_gb_per_s, 1451.25);
    EXPECT_DOUBLE_EQ(*launches[0].dram_read_mb, 4.194304) << "the text separates thousands";
    EXPECT_EQ(launches[0].barrier_stall_percent, 3.25);
    EXPECT_EQ(launches[0].memory_stall_percent, 68);
    EXPECT_EQ(launches[0].occupancy_percent, 43.5);
    EXPECT_EQ(launches[0].memory_percent, 30.5);
    EXPECT_EQ(launches[1].kernel, "combine_partials");
    EXPECT_EQ(launches[1].store_sectors, 1);
    EXPECT_FALSE(launches[1].load_efficiency) << "n/a";
    EXPECT_FALSE(launches[1].dram_read_mb) << "nan";
}

TEST(Counters, AMetricThatIsMissingIsEmpty) {
    const auto launches =
        parse_counters("\"ID\",\"Kernel Name\",\"dram__bytes_read.sum\"\n\"\",\"\",\"byte\"\n\"0\",\"k\",\"5\"\n");
    ASSERT_EQ(launches.size(), 1U);
    EXPECT_EQ(launches[0].kernel, "k");
    EXPECT_DOUBLE_EQ(*launches[0].dram_read_mb, 5e-6);
    EXPECT_FALSE(launches[0].occupancy_percent);
}

TEST(Counters, EveryMetricIsAskedForOnce) {
    const std::string metrics = "," + counter_metrics() + ",";
    for (const CounterColumn& column : counter_columns()) {
        const std::string metric = "," + std::string(column.metric) + ",";
        EXPECT_NE(metrics.find(metric), std::string::npos) << column.metric;
        EXPECT_EQ(metrics.find(metric, metrics.find(metric) + 1), std::string::npos) << column.metric;
    }
}

}  // namespace
}  // namespace redtune::report
