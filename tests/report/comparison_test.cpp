#include "tuner/report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

namespace redtune::report {
namespace {

/// Returns a cell in which CUB takes `ratio` times as long as redtune, with an interval of 1 % to either side.
ComparisonRow row(double ratio, std::uint64_t bytes = 1024) {
    ComparisonRow made;
    made.cell.op = "sum";
    made.cell.dtype = "f32";
    made.cell.bytes = bytes;
    made.cell.n = bytes / 4;
    made.redtune_us = 2;
    made.cub_us = 2 * ratio;
    made.ratio_low = ratio * 0.99;
    made.ratio_high = ratio * 1.01;
    return made;
}

const ComparisonGroup* find(const std::vector<ComparisonGroup>& groups, const std::string& by,
                            const std::string& name) {
    for (const ComparisonGroup& group : groups) {
        if (group.by == by && group.name == name) return &group;
    }
    return nullptr;
}

TEST(Comparison, AVerdictNeedsAnIntervalThatDoesNotReachOne) {
    EXPECT_EQ(verdict(row(1.02)), "faster");
    EXPECT_EQ(verdict(row(0.98)), "slower");
    EXPECT_EQ(verdict(row(1.005)), "tie");
    EXPECT_EQ(verdict(row(0.995)), "tie");
    ComparisonRow edge = row(1);
    edge.ratio_low = 1;
    EXPECT_EQ(verdict(edge), "tie");
    edge.ratio_low = edge.ratio_high = 1;
    EXPECT_EQ(verdict(edge), "tie");
}

TEST(Comparison, AGroupHasTheGeometricMeanTheWorstAndTheSlowerCells) {
    const auto groups = summarize({row(2), row(0.5), row(4)});
    const ComparisonGroup* all = find(groups, "all", "all");
    ASSERT_NE(all, nullptr);
    EXPECT_EQ(all->cells, 3U);
    EXPECT_NEAR(all->ratio, std::cbrt(4.0), 1e-12);
    EXPECT_EQ(all->worst, 0.5);
    EXPECT_EQ(all->slower, 1U);
}

TEST(Comparison, SizeClassesEndAt32KiBAnd32MiB) {
    const auto groups = summarize({row(2, 32 << 10), row(3, (32 << 10) + 4), row(5, 32 << 20), row(7, (32 << 20) + 4)});
    EXPECT_NEAR(find(groups, "size", "to 32 KiB")->ratio, 2, 1e-12);
    EXPECT_NEAR(find(groups, "size", "to 32 MiB")->ratio, std::sqrt(15.0), 1e-12);
    EXPECT_NEAR(find(groups, "size", "above 32 MiB")->ratio, 7, 1e-12);
}

TEST(Comparison, OnlyGroupsThatHaveCellsAreThere) {
    const auto groups = summarize({row(2)});
    EXPECT_EQ(groups.size(), 4U);
    EXPECT_EQ(find(groups, "size", "above 32 MiB"), nullptr);
    EXPECT_TRUE(summarize({}).empty());
}

TEST(Comparison, AlignmentsDeterminismsAndStreamsAreSummedUpApart) {
    std::vector<ComparisonRow> rows = {row(2), row(3), row(5), row(7), row(11)};
    rows[1].cell.offset = 1;
    rows[2].determinism = Determinism::run_to_run;
    rows[3].cub_determinism = "gpu_to_gpu";
    rows[4].cell.streams = Streams::several;
    std::vector<double> ratios;
    for (const ComparisonGroup& group : summarize(rows)) {
        if (group.by == "all") ratios.push_back(std::round(group.ratio));
    }
    EXPECT_THAT(ratios, testing::ElementsAre(2, 3, 5, 7, 11));
}

TEST(Comparison, ShapesAndKindsOfMatchAreGroupsIfTheRowsHaveSeveral) {
    std::vector<ComparisonRow> rows = {row(2), row(8)};
    rows[1].cell.shape = "rows:100";
    EXPECT_NEAR(find(summarize(rows), "shape", "rows:100")->ratio, 8, 1e-12);
    EXPECT_EQ(find(summarize(rows), "match", "exact"), nullptr);
    rows[0].match = MatchKind::between;
    EXPECT_NEAR(find(summarize(rows), "match", "between")->ratio, 2, 1e-12);
    EXPECT_EQ(find(summarize({row(2)}), "shape", "whole"), nullptr);
}

TEST(Comparison, AGroupHasTheGeometricMeanOfTimeOverLimitOfTheRowsThatHaveALimit) {
    std::vector<ComparisonRow> rows = {row(1), row(1), row(1)};
    EXPECT_FALSE(find(summarize(rows), "all", "all")->ratio_to_limit.has_value());
    rows[0].limit = Limit{.load_us = 2, .one_block = Reader{1, ""}, .grid = {}};
    rows[1].limit = Limit{.load_us = 0.5, .one_block = Reader{0.5, ""}, .grid = {}};
    EXPECT_NEAR(find(summarize(rows), "all", "all")->ratio_to_limit.value(), 2, 1e-12);
}

RC_GTEST_PROP(Comparison, EveryPartitionHasEveryCellOnce, ()) {
    const auto count = *rc::gen::inRange(1, 40);
    std::vector<ComparisonRow> rows;
    for (int i = 0; i < count; ++i) {
        ComparisonRow& made = rows.emplace_back(row(*rc::gen::inRange(1, 300) / 100.0, *rc::gen::inRange(1, 1 << 27)));
        made.cell.op = *rc::gen::element<std::string>("sum", "max", "argmin");
        made.cell.dtype = *rc::gen::element<std::string>("f32", "i8");
        made.cell.offset = *rc::gen::inRange(0, 2);
    }
    std::map<std::string, std::size_t> cells;
    std::map<std::string, double> logarithms;
    for (const ComparisonGroup& group : summarize(rows)) {
        cells[group.by] += group.cells;
        logarithms[group.by] += static_cast<double>(group.cells) * std::log(group.ratio);
    }
    RC_ASSERT(cells.size() == 4U);
    for (const auto& [by, sum] : logarithms) {
        RC_ASSERT(cells[by] == rows.size());
        RC_ASSERT(std::abs(sum - logarithms["all"]) < 1e-9);
    }
}

TEST(Comparison, DeterminismCostsWhatRunToRunTakesLonger) {
    std::vector<ComparisonRow> rows = {row(1), row(1), row(1, 2048), row(1, 4096)};
    rows[1].determinism = Determinism::run_to_run;
    rows[1].redtune_us = 3;
    rows[3].determinism = Determinism::run_to_run;  // measured with one of them only
    const auto cost = determinism_cost(rows);
    ASSERT_TRUE(cost.has_value());
    EXPECT_EQ(cost->cells, 1U);
    EXPECT_NEAR(cost->ratio, 1.5, 1e-12);
}

TEST(Comparison, DeterminismCountsACellOnceHoweverManyOfCubsItMet) {
    std::vector<ComparisonRow> rows = {row(1), row(2), row(1), row(2)};
    rows[1].cub_determinism = rows[3].cub_determinism = "run_to_run";
    rows[2].determinism = rows[3].determinism = Determinism::run_to_run;
    EXPECT_EQ(determinism_cost(rows)->cells, 1U);
    EXPECT_FALSE(determinism_cost({row(1)}).has_value());
}

}  // namespace
}  // namespace redtune::report
