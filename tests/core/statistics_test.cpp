#include "tuner/core/statistics.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace redtune {
namespace {

TEST(Statistics, QuantilesInterpolate) {
    const std::vector<double> samples{4, 1, 3, 2};
    EXPECT_DOUBLE_EQ(median(samples), 2.5);
    EXPECT_DOUBLE_EQ(quantile(samples, 0), 1);
    EXPECT_DOUBLE_EQ(quantile(samples, 1), 4);
    EXPECT_DOUBLE_EQ(interquartile_range(samples), 1.5);
    EXPECT_DOUBLE_EQ(median({}), 0);
}

TEST(Statistics, MedianIntervalCoversTheTrueMedian) {
    std::mt19937_64 generator(1);
    int covered = 0;
    constexpr int trials = 2000;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> samples(25);
        // The exponential distribution is skewed, as measured times are. Its median is ln 2.
        for (double& sample : samples) sample = -std::log1p(-static_cast<double>(generator() >> 11) * 0x1p-53);
        const Interval interval = median_interval(samples);
        covered += interval.low <= std::log(2.0) && std::log(2.0) <= interval.high;
    }
    EXPECT_GE(covered, trials * 94 / 100);
    EXPECT_LE(covered, trials * 995 / 1000);
}

TEST(Statistics, PairedRatiosCancelDrift) {
    std::vector<double> a, b;
    for (int i = 0; i < 24; ++i) {
        const double drift = 1 + 0.05 * i;  // far larger than the difference between a and b
        a.push_back(1.01 * drift + (i % 3) * 1e-4);
        b.push_back(1.00 * drift);
    }
    const Interval interval = paired_ratio_interval(a, b);
    EXPECT_GT(interval.low, 1.009);
    EXPECT_LT(interval.high, 1.012);
}

TEST(Statistics, TheSameSamplesGiveTheSameInterval) {
    const std::vector<double> a{1, 2, 3, 2, 1, 3}, b{1, 1, 2, 2, 3, 3};
    EXPECT_EQ(paired_ratio_interval(a, b).low, paired_ratio_interval(a, b).low);
    EXPECT_EQ(paired_ratio_interval({}, b).high, 0);
}

RC_GTEST_PROP(Statistics, IntervalsContainTheMedian, (const std::vector<double>& samples)) {
    RC_PRE(!samples.empty());
    const Interval interval = median_interval(samples);
    RC_ASSERT(interval.low <= median(samples));
    RC_ASSERT(median(samples) <= interval.high);
}

}  // namespace
}  // namespace redtune
