#include "tuner/report/kernel_comparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace redtune::report {
namespace {

KernelComparisonRow kernel_row(double ratio) {
    KernelComparisonRow made;
    made.old_us = 2;
    made.new_us = 2 * ratio;
    return made;
}

TEST(KernelComparison, TheSummaryCountsSlowerCellsAndAveragesRatiosGeometrically) {
    const KernelComparisonSummary summary =
        summarize({kernel_row(0.5), kernel_row(2), kernel_row(1.015), kernel_row(1.005)});
    EXPECT_EQ(summary.cells, 4U);
    EXPECT_NEAR(summary.ratio, std::pow(1.015 * 1.005, 0.25), 1e-12);
    EXPECT_DOUBLE_EQ(summary.worst, 2);
    EXPECT_EQ(summary.above_1, 2U);
    EXPECT_EQ(summary.above_2, 1U);
}

TEST(KernelComparison, OfNoCellsTheSummaryIsZero) {
    const KernelComparisonSummary summary = summarize(std::vector<KernelComparisonRow>{});
    EXPECT_EQ(summary.cells, 0U);
    EXPECT_EQ(summary.ratio, 0);
}

}  // namespace
}  // namespace redtune::report
