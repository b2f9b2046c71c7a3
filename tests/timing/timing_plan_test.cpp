#include "tuner/timing/timing_plan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tuner/timing/constants.h"

namespace redtune::timing {
namespace {

constexpr TimingLimits h200_limits{60 << 20, 4814, std::uint64_t{4} << 30};

TEST(TimingPlan, ASampleHasManyShortCalls) {
    EXPECT_GE(plan_timing(4096, Regime::cold, 200, h200_limits).calls, 150U);
    EXPECT_GE(plan_timing(64 << 20, Regime::cold, 200, h200_limits).calls, min_calls);
    EXPECT_EQ(plan_timing(std::uint64_t{4} << 30, Regime::cold, 200, h200_limits).calls, 1U);
}

TEST(TimingPlan, AWarmSampleHasOneInput) {
    EXPECT_EQ(plan_timing(1 << 20, Regime::warm, 200, h200_limits).inputs, 1U);
}

RC_GTEST_PROP(TimingPlan, ColdInputsAreDisjointInsideThePoolAndSpanTheCache, ()) {
    const auto bytes = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{4} << 30);
    TimingLimits limits;
    limits.l2_bytes = *rc::gen::inRange<std::uint64_t>(1 << 20, 128 << 20);
    limits.peak_gb_per_s = *rc::gen::inRange(0, 8000);
    limits.pool_bytes = std::max(bytes + 256, std::uint64_t{1} << 30);
    const Regime regime = *rc::gen::element(Regime::cold, Regime::back_to_back);
    const TimingPlan plan = plan_timing(bytes, regime, 500, limits);
    RC_ASSERT(plan.calls >= 1U);
    RC_ASSERT(plan.calls <= max_calls);
    RC_ASSERT(plan.inputs >= 1U);
    RC_ASSERT(plan.inputs <= plan.calls);
    RC_ASSERT(plan.stride_bytes >= bytes);
    RC_ASSERT(plan.stride_bytes % 256 == 0U);
    RC_ASSERT(plan.inputs * plan.stride_bytes <= limits.pool_bytes);
    // If an input is read again within a sample, other inputs of at least three times the size of L2 must be read in
    // between.
    if (plan.inputs < plan.calls) RC_ASSERT(plan.inputs * plan.stride_bytes >= 3 * limits.l2_bytes);
}

}  // namespace
}  // namespace redtune::timing
