#include "tuner/bench/tolerance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tuner/core/launch_rule.h"

namespace redtune::bench {
namespace {

LaunchPlan plan_of(std::uint32_t block, std::uint32_t grid, std::uint64_t n) {
    LaunchPlan plan;
    plan.count = 1;
    plan.steps[0].block = block;
    plan.steps[0].grid = grid;
    plan.steps[0].n = n;
    return plan;
}

/// Sums as a grid-stride kernel does: serially in each thread, then by a tree over all threads.
float device_sum(const std::vector<float>& values, std::size_t threads) {
    std::vector<float> sums(threads, 0.0F);
    for (std::size_t i = 0; i < values.size(); ++i) sums[i % threads] += values[i];
    for (std::size_t stride = threads / 2; stride > 0; stride /= 2) {
        for (std::size_t i = 0; i < stride; ++i) sums[i] += sums[i + stride];
    }
    return sums[0];
}

TEST(Tolerance, HoldsRightSumsAndNotMuchMore) {
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    double worst = 0;
    for (const std::size_t n : {1000U, 65536U, 1U << 20}) {
        for (int trial = 0; trial < 20; ++trial) {
            std::vector<float> values(n);
            for (float& value : values) value = uniform(generator);
            double exact = 0;
            for (const float value : values) exact += value;
            const double error = std::abs(device_sum(values, 256) - exact);
            const double tolerance = sum_tolerance(Type::f32, n, plan_of(256, 1, n));
            EXPECT_LE(error, tolerance) << n;
            worst = std::max(worst, error / tolerance);
            // A bound that a lost element slips through is no test: typical elements are a half.
            EXPECT_LT(tolerance, 0.1) << n;
        }
    }
    EXPECT_GT(worst, 0.005) << "the bound follows the error, it is not just large";
}

TEST(Tolerance, IntegersAreExact) {
    EXPECT_EQ(sum_tolerance(Type::i32, 1 << 20, plan_of(256, 1, 1 << 20)), 0);
}

TEST(Tolerance, GrowsWithWhatAThreadAddsSerially) {
    EXPECT_GT(sum_tolerance(Type::f32, 1 << 24, plan_of(256, 1, 1 << 24)),
              2 * sum_tolerance(Type::f32, 1 << 24, plan_of(256, 1024, 1 << 24)));
}

}  // namespace
}  // namespace redtune::bench
