#include "tuner/timing/tolerance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "tuner/core/launch_rule.h"
#include "tuner/timing/data_kind.h"

namespace redtune::timing {
namespace {

LaunchPlan plan_of(std::uint32_t block, std::uint32_t grid, std::uint64_t n) {
    LaunchPlan plan;
    plan.count = 1;
    plan.slot_bytes = 8;
    plan.steps[0].block = block;
    plan.steps[0].grid = grid;
    plan.steps[0].n = n;
    plan.steps[0].row_length = n;
    plan.elements_per_result = n;
    return plan;
}

double sum_tolerance(Type type, const LaunchPlan& plan) {
    const Tolerance tolerance = uniform_data_tolerance(make_problem("sum", type), plan);
    return tolerance.absolute;
}

/// Reduces as a grid-stride kernel does: serially in each thread, then by a tree over all threads.
template <class Combine>
float device_reduction(const std::vector<float>& values, std::size_t threads, float identity, const Combine& combine) {
    std::vector<float> partials(threads, identity);
    for (std::size_t i = 0; i < values.size(); ++i) partials[i % threads] = combine(partials[i % threads], values[i]);
    for (std::size_t stride = threads / 2; stride > 0; stride /= 2) {
        for (std::size_t i = 0; i < stride; ++i) partials[i] = combine(partials[i], partials[i + stride]);
    }
    return partials[0];
}

float device_sum(const std::vector<float>& values, std::size_t threads) {
    return device_reduction(values, threads, 0, std::plus<>());
}

TEST(Tolerance, AcceptsCorrectSumsAndRejectsALostElement) {
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
            const double tolerance = sum_tolerance(Type::f32, plan_of(256, 1, n));
            EXPECT_LE(error, tolerance) << n;
            worst = std::max(worst, error / tolerance);
            // The bound must be smaller than a typical element, 0.5, so that a lost element is found.
            EXPECT_LT(tolerance, 0.1) << n;
        }
    }
    EXPECT_GT(worst, 0.005) << "the bound follows the error, it is not just large";
}

TEST(Tolerance, AcceptsCorrectProductsOfFactorsNearOne) {
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Problem product = make_problem("product", Type::f32);
    for (const std::size_t n : {1000U, 4096U, 65536U, 1U << 20}) {
        std::vector<float> values(n);
        for (float& value : values) value = static_cast<float>(1 + uniform(generator) / (1 << 20));
        double exact = 1;
        for (const float value : values) exact *= value;
        const double error = std::abs(device_reduction(values, 256, 1, std::multiplies<>()) / exact - 1);
        EXPECT_LE(error, uniform_data_tolerance(product, plan_of(256, 1, n)).relative) << n;
    }
}

TEST(Tolerance, IsZeroForIntegersAndOperatorsThatDoNotRound) {
    const LaunchPlan plan = plan_of(256, 1, 1 << 20);
    EXPECT_EQ(sum_tolerance(Type::i32, plan), 0);
    for (const char* op : {"min", "argmax", "any"}) {
        const Tolerance tolerance = uniform_data_tolerance(make_problem(op, Type::f32), plan);
        EXPECT_EQ(tolerance.absolute + tolerance.relative, 0) << op;
    }
}

TEST(Tolerance, GrowsWithTheSerialAdditionsOfAThread) {
    EXPECT_GT(sum_tolerance(Type::f32, plan_of(256, 1, 1 << 24)),
              2 * sum_tolerance(Type::f32, plan_of(256, 1024, 1 << 24)));
}

TEST(Tolerance, AtomicsAddOneBlockAfterAnother) {
    const std::uint64_t n = 1 << 20;
    LaunchPlan slots = plan_of(64, 2048, n);
    LaunchPlan atomics = slots;
    atomics.slot_bytes = 0;
    EXPECT_GT(sum_tolerance(Type::f32, atomics), 1.3 * sum_tolerance(Type::f32, slots));
    // Each of the 2048 blocks adds 358.4 to the f32 accumulator. Each addition rounds by up to 2^-5, and all errors may
    // have the same sign.
    const Data constant = data_of(DataKind::constant);
    const Problem sum = make_problem("sum", Type::f32);
    EXPECT_GT(data_tolerance(sum, atomics, constant).of_magnitudes * 0.7 * n, 2048 * std::exp2(-5));
    EXPECT_LT(data_tolerance(sum, slots, constant).of_magnitudes * 0.7 * n, 4);
    // Atomic additions of f32 flush subnormal partials to zero.
    const Data subnormal = data_of(DataKind::subnormal);
    EXPECT_GE(data_tolerance(sum, atomics, subnormal).absolute, 2048 * std::exp2(-126));
    EXPECT_LT(data_tolerance(sum, slots, subnormal).absolute, std::exp2(-126));
}

TEST(Tolerance, ExactValuesAreExactWhileAccumulatorsCanHoldThem) {
    const auto of = [](const char* op, Type type, std::uint64_t n) {
        const Tolerance tolerance = exact_tolerance(make_problem(op, type), plan_of(256, 1, n));
        return tolerance.absolute + tolerance.relative;
    };
    EXPECT_EQ(of("sum", Type::f32, 1 << 20), 0);
    EXPECT_EQ(of("sum_of_squares", Type::f32, 1 << 20), 0);
    EXPECT_GT(of("sum_of_squares", Type::f32, 1 << 26), 0);
    EXPECT_EQ(of("sum_of_squares", Type::f64, 1 << 26), 0);
    EXPECT_EQ(of("product", Type::f32, 1 << 26), 0);
    EXPECT_EQ(of("sum", Type::i64, std::uint64_t{1} << 40), 0);
}

TEST(Tolerance, PositiveTermsAreBoundedRelatively) {
    const Tolerance tolerance = uniform_data_tolerance(make_problem("l1_norm", Type::f32), plan_of(256, 1, 1 << 20));
    EXPECT_EQ(tolerance.absolute, 0);
    EXPECT_GT(tolerance.relative, 1e-6);
    // The tolerance is small enough to detect that every 10,000th element is lost.
    EXPECT_LT(tolerance.relative, 1e-4);
}

/// Returns the plan of a launch that gives each row the same number of threads, however many rows there are.
LaunchPlan plan_of_rows(std::uint64_t rows, std::uint64_t row_length) {
    LaunchRule rule;
    rule.block = 256;
    rule.tile = 1024;
    rule.grid = GridRule::rows;
    rule.rows_per_block = 8;
    return make_plan(rule, extents_of(Shape{.row_length = row_length}, rows * row_length));
}

TEST(Tolerance, OfRowsDependsOnTheirLengthAndNotOnTheirNumber) {
    const double few = sum_tolerance(Type::f32, plan_of_rows(8, 1024));
    EXPECT_GT(few, 0);
    EXPECT_LT(sum_tolerance(Type::f32, plan_of_rows(8 << 10, 1024)), 1.1 * few);
    EXPECT_GT(sum_tolerance(Type::f32, plan_of_rows(8, 1 << 20)), 10 * few);
    EXPECT_LT(few, sum_tolerance(Type::f32, plan_of(256, 1, 1 << 20)));
}

TEST(Tolerance, MeansAreDividedByTheirCount) {
    const LaunchPlan plan = plan_of(256, 1, 1 << 20);
    const Tolerance mean = uniform_data_tolerance(make_problem("mean", Type::f32), plan);
    EXPECT_DOUBLE_EQ(mean.absolute * (1 << 20), sum_tolerance(Type::f32, plan));
}

TEST(Tolerance, WiderAccumulatorsAreCloserAndNarrowerOutputsRoundOnceMore) {
    const LaunchPlan plan = plan_of(256, 1, 1 << 20);
    const Tolerance narrow = uniform_data_tolerance(make_problem("sum", Type::f16), plan);
    const Tolerance wide = uniform_data_tolerance(make_problem("sum", Type::f16, Type::f64), plan);
    EXPECT_LT(wide.absolute, narrow.absolute / 1e6);
    const Tolerance rounded = uniform_data_tolerance(make_problem("sum", Type::f16, Type::f64, Type::f16), plan);
    EXPECT_EQ(rounded.absolute, wide.absolute);
    EXPECT_GE(rounded.relative, 0x1p-11) << "half a unit of the last place of an f16 at least";
}

TEST(Tolerance, AUsersOwnOperatorIsJudgedAsASumButWider) {
    Problem own = make_problem("sum", Type::f32);
    own.op = "my_own";
    const LaunchPlan plan = plan_of(256, 1, 1 << 20);
    EXPECT_DOUBLE_EQ(uniform_data_tolerance(own, plan).absolute, 8 * sum_tolerance(Type::f32, plan));
    // redtune cannot know whether the user's values stay exact at this size.
    EXPECT_EQ(exact_tolerance(make_problem("sum", Type::f32), plan).absolute, 0);
    EXPECT_GT(exact_tolerance(own, plan).absolute, 0);
    own.accumulator = Type::i32;
    EXPECT_EQ(uniform_data_tolerance(own, plan).absolute, 0);
}

}  // namespace
}  // namespace redtune::timing
