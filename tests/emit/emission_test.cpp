#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/emissions.h"

namespace redtune::emit {
namespace {

using test_support::EmissionSource;
using test_support::TunedProblem;

constexpr std::uint64_t any_n = ~std::uint64_t{0};

TunedProblem sum_of_f32() {
    return {make_problem("sum", Type::f32), "NVIDIA H200", Regime::cold};
}

TEST(EmissionTest, SizesAboveTheRequestUseAConfigurationWhoseGridIsLimited) {
    const EmissionSource source(false);
    // The winners in this range are all of tile_per_block, whose workspace grows with n.
    const Emission emission = source.emission(sum_of_f32(), "emitted", 128 << 10, 256 << 10);
    ASSERT_EQ(emission.intervals.back().last_n, any_n);
    const EmittedConfiguration& largest = emission.configurations[emission.intervals.back().configuration];
    EXPECT_NE(largest.rule.grid, GridRule::tiles);
    const LaunchPlan plan = try_plan(largest.rule, std::uint64_t{1} << 50);
    ASSERT_GT(plan.count, 0U);
    EXPECT_LE(plan.zeroed_bytes, largest.rule.slots_zeroed ? emission.zeroed_bytes : LaunchPlan::header_bytes);
    EXPECT_GE(emission.workspace_bytes, emission.zeroed_bytes);
}

TEST(EmissionTest, EqualConfigurationsAndKernelsAreThereOnce) {
    const EmissionSource source(false);
    const Emission emission = source.emission(sum_of_f32(), "emitted");
    for (std::size_t i = 0; i < emission.configurations.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_FALSE(emission.configurations[i].is_same_code(emission.configurations[j])) << i << " " << j;
        }
    }
    for (std::size_t i = 0; i < emission.kernels.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(emission.kernels[i].name, emission.kernels[j].name);
    }
    EXPECT_GT(emission.configurations.size(), emission.kernels.size()) << "some kernels have several launch rules";
}

TEST(EmissionTest, KnowsWhereItsConfigurationsComeFrom) {
    const EmissionSource source(false);
    const Emission emission = source.emission(sum_of_f32(), "emitted");
    EXPECT_THAT(emission.provenance.toolchains, testing::ElementsAre("driver 580.159.04, NVRTC 13.0, redtune 0.1.0"));
    EXPECT_LE(emission.provenance.first_measured_at, emission.provenance.last_measured_at);
    EXPECT_EQ(emission.code_hashes.size(), emission.provenance.measured_code.size());
    EXPECT_EQ(emission.device.architecture(), "sm_90");
}

TEST(EmissionTest, NeedsHopperOnlyIfAKernelDoes) {
    const EmissionSource source(false);
    EXPECT_EQ(source.emission(sum_of_f32(), "emitted", 1 << 10, 1 << 12).minimum_compute_capability, 75);
    TunedProblem rows = sum_of_f32();
    rows.problem.row_length = 65536;
    EXPECT_EQ(source.emission(rows, "emitted").minimum_compute_capability, 90) << "clusters";
}

}  // namespace
}  // namespace redtune::emit
