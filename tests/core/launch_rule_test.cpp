#include "tuner/core/launch_rule.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "redtune/error.h"

namespace redtune {
namespace {

LaunchRule stream_rule(double blocks_per_sm, Continuation then) {
    LaunchRule rule;
    rule.block = 256;
    rule.tile = 4096;
    rule.grid = GridRule::blocks_per_sm;
    rule.blocks_per_sm = blocks_per_sm;
    rule.sm_count = 132;
    rule.slot_bytes = 4;
    rule.then = then;
    return rule;
}

TEST(LaunchRule, GridIsCappedByTilesAndBySms) {
    const LaunchRule rule = stream_rule(2, Continuation::none);
    EXPECT_EQ(make_plan(rule, 0).steps[0].grid, 1U);
    EXPECT_EQ(make_plan(rule, 4096).steps[0].grid, 1U);
    EXPECT_EQ(make_plan(rule, 4097).steps[0].grid, 2U);
    EXPECT_EQ(make_plan(rule, std::uint64_t{1} << 40).steps[0].grid, 264U);
}

TEST(LaunchRule, FractionsOfABlockPerSmRound) {
    EXPECT_EQ(make_plan(stream_rule(0.25, Continuation::none), 1 << 30).steps[0].grid, 33U);
    EXPECT_EQ(make_plan(stream_rule(0.001, Continuation::none), 1 << 30).steps[0].grid, 1U);
}

TEST(LaunchRule, ZeroBlocksPerSmIsOnePerTile) {
    EXPECT_EQ(make_plan(stream_rule(0, Continuation::none), std::uint64_t{1} << 32).steps[0].grid, 1U << 20);
}

TEST(LaunchRule, ASecondKernelFollowsOnlyMoreThanOneBlock) {
    const LaunchRule rule = stream_rule(1, Continuation::combine_partials);
    EXPECT_EQ(make_plan(rule, 100).count, 1U);
    const LaunchPlan plan = make_plan(rule, 1 << 20);
    ASSERT_EQ(plan.count, 2U);
    EXPECT_EQ(plan.steps[1].role, KernelRole::combine_partials);
    EXPECT_EQ(plan.steps[1].n, plan.steps[0].grid);
    EXPECT_EQ(plan.steps[1].grid, 1U);
    EXPECT_EQ(plan.workspace_bytes, LaunchPlan::header_bytes + 132 * 4);
    EXPECT_EQ(plan.zeroed_bytes, LaunchPlan::header_bytes);
}

TEST(LaunchRule, ZeroedSlotsAreAllOfTheWorkspace) {
    LaunchRule rule = stream_rule(1, Continuation::none);
    rule.slots_zeroed = true;
    const LaunchPlan plan = make_plan(rule, 1 << 20);
    EXPECT_EQ(plan.zeroed_bytes, plan.workspace_bytes);
}

LaunchRule classic_rule(std::uint32_t block) {
    LaunchRule rule;
    rule.block = block;
    rule.tile = block;
    rule.grid = GridRule::tiles;
    rule.slot_bytes = 4;
    rule.then = Continuation::repeat;
    return rule;
}

TEST(LaunchRule, RepeatsUntilOneIsLeft) {
    const LaunchPlan plan = make_plan(classic_rule(256), std::uint64_t{1} << 30);
    ASSERT_EQ(plan.count, 4U);
    EXPECT_EQ(plan.steps[0].grid, 1U << 22);
    EXPECT_EQ(plan.steps[1].grid, 1U << 14);
    EXPECT_EQ(plan.steps[2].grid, 64U);
    EXPECT_EQ(plan.steps[3].grid, 1U);
    EXPECT_EQ(plan.workspace_bytes, LaunchPlan::header_bytes + 4 * ((1U << 22) + (1U << 14) + 64));
}

TEST(LaunchRule, WhatCannotBeLaunchedIsAnError) {
    LaunchRule rule = classic_rule(1);
    EXPECT_THROW(make_plan(rule, 1 << 20), InputError);
    EXPECT_EQ(try_plan(rule, 1 << 20).count, 0U);
    EXPECT_THROW(make_plan(classic_rule(64), std::uint64_t{1} << 40), InputError);
}

RC_GTEST_PROP(LaunchRule, EveryLaunchReadsWhatTheOneBeforeWrote, ()) {
    const auto n = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 34);
    LaunchRule rule = classic_rule(*rc::gen::element(64U, 128U, 256U, 512U, 1024U));
    if (*rc::gen::arbitrary<bool>())
        rule = stream_rule(*rc::gen::element(0.0, 0.5, 1.0, 8.0), Continuation::combine_partials);
    const LaunchPlan plan = make_plan(rule, n);
    RC_ASSERT(plan.steps[0].n == n);
    for (std::uint32_t i = 1; i < plan.count; ++i) {
        RC_ASSERT(plan.steps[i].n == plan.steps[i - 1].grid);
        RC_ASSERT(plan.steps[i].read_slot == plan.steps[i - 1].write_slot);
        RC_ASSERT(plan.steps[i].write_slot >= plan.steps[i].read_slot + plan.steps[i].n);
        RC_ASSERT(LaunchPlan::header_bytes + plan.steps[i].write_slot * plan.slot_bytes <= plan.workspace_bytes);
    }
    RC_ASSERT(plan.steps[plan.count - 1].grid == 1U);
}

RC_GTEST_PROP(LaunchRule, PlansUseNoOtherRoles, ()) {
    LaunchRule rule = classic_rule(256);
    rule.then = *rc::gen::element(Continuation::none, Continuation::combine_partials, Continuation::repeat);
    const std::vector<KernelRole> roles = roles_of(rule);
    RC_ASSERT(roles.front() == KernelRole::first);
    const LaunchPlan plan = make_plan(rule, *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 30));
    for (const Launch& launch : plan.launches()) {
        RC_ASSERT(std::find(roles.begin(), roles.end(), launch.role) != roles.end());
    }
}

TEST(LaunchRule, NamesReadBack) {
    for (GridRule rule : {GridRule::one, GridRule::tiles, GridRule::blocks_per_sm}) {
        EXPECT_EQ(parse_grid_rule(to_string(rule)), rule);
    }
    for (Continuation then : {Continuation::none, Continuation::combine_partials, Continuation::repeat}) {
        EXPECT_EQ(parse_continuation(to_string(then)), then);
    }
    EXPECT_THROW(parse_grid_rule("two"), InputError);
    EXPECT_THROW(parse_continuation("two"), InputError);
}

}  // namespace
}  // namespace redtune
