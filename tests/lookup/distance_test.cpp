#include "tuner/lookup/distance.h"

#include <gtest/gtest.h>

#include "tuner/core/well_known_devices.h"

namespace redtune::lookup {
namespace {

std::optional<int> distance(const Problem& tuned, const Problem& problem, Regime tuned_regime = Regime::cold) {
    return problem_distance(tuned, tuned_regime, problem, Regime::cold);
}

TEST(ProblemDistance, IsZeroForTheSameProblem) {
    Problem rows = make_problem("sum", Type::f32);
    EXPECT_EQ(distance(rows, rows), 0);
    rows.row_length = 32;
    Problem longer = rows;
    longer.row_length = 1000;
    longer.determinism = Determinism::run_to_run;
    EXPECT_EQ(distance(rows, longer), 0);
}

TEST(ProblemDistance, GrowsFromTypeToAdditionToRegimeToClass) {
    const Problem sum = make_problem("sum", Type::f32);
    const int other_operator = distance(make_problem("mean", Type::f32), sum).value();
    const int integers = distance(make_problem("sum", Type::i32), sum).value();
    const int no_addition = distance(make_problem("product", Type::f32), sum).value();
    const int other_regime = distance(sum, sum, Regime::warm).value();
    EXPECT_GT(other_operator, 0);
    EXPECT_GT(integers, other_operator);
    EXPECT_GT(no_addition, integers);
    EXPECT_GT(other_regime, no_addition);
    EXPECT_GT(distance(make_problem("max", Type::f32), sum), other_regime) << "compares only";
}

TEST(ProblemDistance, IsEmptyIfConfigurationsCannotBeShared) {
    const Problem sum = make_problem("sum", Type::f32);
    EXPECT_FALSE(distance(make_problem("sum", Type::f64), sum)) << "another width";
    EXPECT_FALSE(distance(make_problem("sum", Type::f32, Type::f64), sum)) << "another accumulator";
    EXPECT_FALSE(distance(make_problem("argmin", Type::f32), sum)) << "pairs";
    EXPECT_FALSE(distance(make_problem("dot", Type::f32), sum)) << "two arrays";
    Problem other = sum;
    other.row_length = 32;
    EXPECT_FALSE(distance(other, sum));
    EXPECT_FALSE(distance(sum, other));
    other = sum;
    other.destructive = true;
    EXPECT_FALSE(distance(other, sum)) << "it overwrites the input";
    EXPECT_TRUE(distance(sum, other));
}

TEST(DeviceRelation, IsTheNearestRungThatHolds) {
    const auto known = [](const char* name) { return find_well_known_device(name).value(); };
    const DeviceInfo a100 = known("NVIDIA A100-SXM4-80GB");
    EXPECT_EQ(device_relation(a100, a100), MatchKind::exact);
    DeviceInfo reserved = a100;
    reserved.memory_bytes = reserved.memory_bytes / 100 * 95;
    EXPECT_EQ(device_relation(a100, reserved), MatchKind::exact);
    EXPECT_EQ(device_relation(known("NVIDIA A100-SXM4-40GB"), a100), MatchKind::same_silicon_other_memory);
    EXPECT_EQ(device_relation(known("NVIDIA A30"), a100), MatchKind::same_compute_capability);
    EXPECT_EQ(device_relation(known("NVIDIA RTX A6000"), a100), MatchKind::other_device);
    DeviceInfo slice = a100;
    slice.name += " MIG 1g.10gb";
    slice.mig_profile = "1g.10gb";
    slice.sm_count = 14;
    EXPECT_EQ(device_relation(slice, a100), MatchKind::same_silicon_other_memory);
    EXPECT_EQ(device_relation(a100, slice), MatchKind::same_silicon_other_memory);
}

TEST(DeviceDistance, AddsTheLogarithmsOfTheRatios) {
    DeviceInfo a = find_well_known_device("NVIDIA H200").value();
    DeviceInfo b = a;
    EXPECT_EQ(device_distance(a, b), 0);
    b.sm_count *= 2;
    EXPECT_NEAR(device_distance(a, b), 1, 1e-12);
    b.l2_bytes /= 4;
    EXPECT_NEAR(device_distance(b, a), 3, 1e-12);
    b.peak_gb_per_s = 0;
    EXPECT_NEAR(device_distance(a, b), 3, 1e-12) << "unknown";
}

}  // namespace
}  // namespace redtune::lookup
