#include "tuner/core/launch_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "redtune/error.h"

namespace redtune {
namespace {

/// Returns a rule whose grid has `blocks_per_sm` blocks per SM.
LaunchRule blocks_per_sm_rule(double blocks_per_sm, Continuation continuation) {
    LaunchRule rule;
    rule.block = 256;
    rule.tile = 4096;
    rule.grid = GridRule::blocks_per_sm;
    rule.blocks_per_sm = blocks_per_sm;
    rule.sm_count = 132;
    rule.slot_bytes = 4;
    rule.continuation = continuation;
    return rule;
}

TEST(LaunchRule, GridIsCappedByTilesAndBySms) {
    const LaunchRule rule = blocks_per_sm_rule(2, Continuation::none);
    EXPECT_EQ(make_plan(rule, 0).steps[0].grid, 1U);
    EXPECT_EQ(make_plan(rule, 4096).steps[0].grid, 1U);
    EXPECT_EQ(make_plan(rule, 4097).steps[0].grid, 2U);
    EXPECT_EQ(make_plan(rule, std::uint64_t{1} << 40).steps[0].grid, 264U);
}

TEST(LaunchRule, FractionalBlocksPerSmAreRoundedToWholeBlocks) {
    EXPECT_EQ(make_plan(blocks_per_sm_rule(0.25, Continuation::none), 1 << 30).steps[0].grid, 33U);
    EXPECT_EQ(make_plan(blocks_per_sm_rule(0.001, Continuation::none), 1 << 30).steps[0].grid, 1U);
}

TEST(LaunchRule, ZeroBlocksPerSmMeansOneBlockPerTile) {
    EXPECT_EQ(make_plan(blocks_per_sm_rule(0, Continuation::none), std::uint64_t{1} << 32).steps[0].grid, 1U << 20);
}

TEST(LaunchRule, PartialsAreCombinedOnlyIfTheGridHasSeveralBlocks) {
    const LaunchRule rule = blocks_per_sm_rule(1, Continuation::combine_partials);
    EXPECT_EQ(make_plan(rule, 100).count, 1U);
    const LaunchPlan plan = make_plan(rule, 1 << 20);
    ASSERT_EQ(plan.count, 2U);
    EXPECT_EQ(plan.steps[1].role, KernelRole::combine_partials);
    EXPECT_EQ(plan.steps[1].n, plan.steps[0].grid);
    EXPECT_EQ(plan.steps[1].grid, 1U);
    EXPECT_EQ(plan.workspace_bytes, LaunchPlan::header_bytes + 132 * 4);
    EXPECT_EQ(plan.zeroed_bytes, LaunchPlan::header_bytes);
}

TEST(LaunchRule, PdlAppliesToTheFirstLaunchOnly) {
    LaunchRule rule = blocks_per_sm_rule(1, Continuation::combine_partials);
    EXPECT_FALSE(make_plan(rule, 1 << 20).steps[0].pdl);
    rule.pdl = true;
    const LaunchPlan two = make_plan(rule, 1 << 20);
    ASSERT_EQ(two.count, 2U);
    EXPECT_TRUE(two.steps[0].pdl);
    EXPECT_FALSE(two.steps[1].pdl) << "combine_pdl decides about the second launch";
    rule.combine_pdl = true;
    EXPECT_TRUE(make_plan(rule, 1 << 20).steps[1].pdl);
    LaunchRule repeated = blocks_per_sm_rule(0, Continuation::repeat);
    repeated.pdl = true;
    const LaunchPlan all = make_plan(repeated, 1 << 20);
    ASSERT_GT(all.count, 1U);
    EXPECT_TRUE(all.steps[0].pdl);
    EXPECT_FALSE(all.steps[1].pdl);
}

TEST(LaunchRule, ZeroedSlotsZeroTheWholeWorkspace) {
    LaunchRule rule = blocks_per_sm_rule(1, Continuation::none);
    rule.slots_zeroed = true;
    const LaunchPlan plan = make_plan(rule, 1 << 20);
    EXPECT_EQ(plan.zeroed_bytes, plan.workspace_bytes);
}

/// Returns a rule with one block per tile, whose kernel runs again on its partial results.
LaunchRule repeated_tiles_rule(std::uint32_t block) {
    LaunchRule rule;
    rule.block = block;
    rule.tile = block;
    rule.grid = GridRule::tiles;
    rule.slot_bytes = 4;
    rule.continuation = Continuation::repeat;
    return rule;
}

TEST(LaunchRule, RepeatsUntilOnePartialIsLeft) {
    const LaunchPlan plan = make_plan(repeated_tiles_rule(256), std::uint64_t{1} << 30);
    ASSERT_EQ(plan.count, 4U);
    EXPECT_EQ(plan.steps[0].grid, 1U << 22);
    EXPECT_EQ(plan.steps[1].grid, 1U << 14);
    EXPECT_EQ(plan.steps[2].grid, 64U);
    EXPECT_EQ(plan.steps[3].grid, 1U);
    EXPECT_EQ(plan.workspace_bytes, LaunchPlan::header_bytes + 4 * ((1U << 22) + (1U << 14) + 64));
}

TEST(LaunchRule, ThrowsIfThePlanCannotBeLaunched) {
    LaunchRule rule = repeated_tiles_rule(1);
    EXPECT_THROW(make_plan(rule, 1 << 20), InputError);
    EXPECT_EQ(try_plan(rule, 1 << 20).count, 0U);
    EXPECT_THROW(make_plan(repeated_tiles_rule(64), std::uint64_t{1} << 40), InputError);
}

RC_GTEST_PROP(LaunchRule, EveryLaunchReadsThePartialsOfThePreviousLaunch, ()) {
    const auto n = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 34);
    LaunchRule rule = repeated_tiles_rule(*rc::gen::element(64U, 128U, 256U, 512U, 1024U));
    if (*rc::gen::arbitrary<bool>())
        rule = blocks_per_sm_rule(*rc::gen::element(0.0, 0.5, 1.0, 8.0), Continuation::combine_partials);
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

RC_GTEST_PROP(LaunchRule, PlansUseOnlyTheRolesOfTheRule, ()) {
    LaunchRule rule = repeated_tiles_rule(256);
    rule.continuation = *rc::gen::element(Continuation::none, Continuation::combine_partials, Continuation::repeat);
    const std::vector<KernelRole> roles = roles_of(rule);
    RC_ASSERT(roles.front() == KernelRole::first);
    const LaunchPlan plan = make_plan(rule, *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 30));
    for (const Launch& launch : plan.launches()) {
        RC_ASSERT(std::find(roles.begin(), roles.end(), launch.role) != roles.end());
    }
}

TEST(LaunchRule, AFixedNumberOfBlocksIsCappedByTiles) {
    LaunchRule rule = repeated_tiles_rule(256);
    rule.grid = GridRule::blocks;
    rule.blocks = 666;
    rule.continuation = Continuation::none;
    EXPECT_EQ(make_plan(rule, 0).steps[0].grid, 1U);
    EXPECT_EQ(make_plan(rule, 256).steps[0].grid, 1U);
    EXPECT_EQ(make_plan(rule, 257).steps[0].grid, 2U);
    EXPECT_EQ(make_plan(rule, 665 * 256).steps[0].grid, 665U);
    EXPECT_EQ(make_plan(rule, std::uint64_t{1} << 40).steps[0].grid, 666U);
    rule.continuation = Continuation::repeat;
    const LaunchPlan plan = make_plan(rule, 1 << 30);
    ASSERT_EQ(plan.count, 3U) << "666 partials are 3 tiles, and 3 partials are one tile";
    EXPECT_EQ(plan.steps[1].grid, 3U);
    EXPECT_EQ(plan.steps[2].grid, 1U);
}

/// Returns a rule for problems with rows.
LaunchRule rows_rule(std::uint32_t rows_per_block, std::uint32_t blocks_per_row) {
    LaunchRule rule;
    rule.block = 256;
    rule.tile = 1024;
    rule.grid = GridRule::rows;
    rule.rows_per_block = rows_per_block;
    rule.blocks_per_row = blocks_per_row;
    rule.slot_bytes = 4;
    if (blocks_per_row > 1) rule.continuation = Continuation::combine_partials;
    return rule;
}

TEST(LaunchRule, ABlockMayReduceSeveralRows) {
    const LaunchRule rule = rows_rule(8, 1);
    EXPECT_EQ(make_plan(rule, extents_of(Shape{.row_length = 32}, 32)).steps[0].grid, 1U);
    EXPECT_EQ(make_plan(rule, extents_of(Shape{.row_length = 32}, 8 * 32)).steps[0].grid, 1U);
    EXPECT_EQ(make_plan(rule, extents_of(Shape{.row_length = 32}, 9 * 32)).steps[0].grid, 2U);
    const LaunchPlan plan = make_plan(rule, extents_of(Shape{.row_length = 32}, 1 << 20));
    ASSERT_EQ(plan.count, 1U);
    EXPECT_EQ(plan.steps[0].grid, 4096U) << "the number of rows decides, not the number of tiles";
    EXPECT_EQ(plan.steps[0].n, 1U << 20);
    EXPECT_EQ(plan.steps[0].row_length, 32U);
    EXPECT_EQ(plan.elements_per_result, 32U);
}

TEST(LaunchRule, PartialsOfEachRowAreCombinedByOneBlock) {
    const LaunchRule rule = rows_rule(1, 4);
    const LaunchPlan plan = make_plan(rule, extents_of(Shape{.row_length = 4096}, 3 * 4096));
    ASSERT_EQ(plan.count, 2U);
    EXPECT_EQ(plan.steps[0].grid, 12U);
    EXPECT_EQ(plan.steps[0].row_length, 4096U);
    EXPECT_EQ(plan.steps[1].role, KernelRole::combine_partials);
    EXPECT_EQ(plan.steps[1].grid, 3U) << "one block for each result";
    EXPECT_EQ(plan.steps[1].block, combine_block(rule));
    EXPECT_EQ(plan.steps[1].n, 12U);
    EXPECT_EQ(plan.steps[1].row_length, 4U);
    EXPECT_EQ(plan.elements_per_result, 4096U) << "a mean divides by this number, also in the second launch";
    EXPECT_EQ(plan.workspace_bytes, LaunchPlan::header_bytes + 12 * 4);
    // A single row in several blocks needs the second launch, too.
    EXPECT_EQ(make_plan(rule, extents_of(Shape{.row_length = 4096}, 4096)).count, 2U);
}

TEST(LaunchRule, ZeroRowsStillLaunchAKernel) {
    const LaunchPlan one = make_plan(rows_rule(8, 1), extents_of(Shape{.row_length = 32}, 0));
    ASSERT_EQ(one.count, 1U);
    EXPECT_EQ(one.steps[0].grid, 1U);
    EXPECT_EQ(one.steps[0].n, 0U);
    const LaunchPlan two = make_plan(rows_rule(1, 4), extents_of(Shape{.row_length = 32}, 0));
    ASSERT_EQ(two.count, 2U);
    EXPECT_EQ(two.steps[0].grid, 4U);
    EXPECT_EQ(two.steps[1].grid, 1U);
    EXPECT_EQ(two.steps[1].n, 0U) << "without rows there are no partial results to combine";
}

TEST(LaunchRule, AWholeArrayIsOneRowOfAllElements) {
    const LaunchPlan plan = make_plan(blocks_per_sm_rule(1, Continuation::combine_partials), 1 << 20);
    EXPECT_EQ(plan.steps[0].row_length, 1U << 20);
    EXPECT_EQ(plan.steps[1].row_length, plan.steps[1].n);
    EXPECT_EQ(plan.elements_per_result, 1U << 20);
}

TEST(LaunchRule, CombiningBlocksAreSmallerForRows) {
    EXPECT_GT(combine_block(blocks_per_sm_rule(1, Continuation::combine_partials)), combine_block(rows_rule(1, 4)));
    EXPECT_EQ(combine_block(rows_rule(1, 4)) % 32, 0U);
}

TEST(LaunchRule, ThrowsIfTheRowsNeedMoreBlocksThanAGridHas) {
    EXPECT_EQ(make_plan(rows_rule(1, 1), extents_of(Shape{.row_length = 2}, max_grid * 2)).steps[0].grid, max_grid);
    EXPECT_THROW(make_plan(rows_rule(1, 1), extents_of(Shape{.row_length = 2}, (max_grid + 1) * 2)), InputError);
    EXPECT_THROW(make_plan(rows_rule(1, 2), extents_of(Shape{.row_length = 2}, max_grid * 2)), InputError);
    // The product of rows and blocks per row overflows 64 bits.
    EXPECT_EQ(try_plan(rows_rule(1, 1 << 24), extents_of(Shape{.row_length = 2}, std::uint64_t{1} << 63)).count, 0U);
}

TEST(LaunchRule, ZeroRowsPerBlockCountsAsOne) {
    // A damaged database may contain a rule with zeros.
    EXPECT_EQ(try_plan(rows_rule(0, 0), extents_of(Shape{.row_length = 32}, 64)).steps[0].grid, 2U);
}

RC_GTEST_PROP(LaunchRule, GridsCoverAllRowsWithoutIdleBlocks, ()) {
    const auto row_length = *rc::gen::inRange<std::uint64_t>(2, 1 << 20);
    const auto rows = *rc::gen::inRange<std::uint64_t>(0, 1 << 20);
    const bool splits = *rc::gen::arbitrary<bool>();
    const auto count = *rc::gen::inRange<std::uint32_t>(splits ? 2 : 1, 257);
    const LaunchRule rule = splits ? rows_rule(1, count) : rows_rule(count, 1);
    const LaunchPlan plan = make_plan(rule, extents_of(Shape{.row_length = row_length}, rows * row_length));
    const std::uint64_t grid = plan.steps[0].grid;
    RC_ASSERT(grid % rule.blocks_per_row == 0U);
    const std::uint64_t groups = grid / rule.blocks_per_row;
    RC_ASSERT(groups * rule.rows_per_block >= rows);
    RC_ASSERT(groups == 1U || (groups - 1) * rule.rows_per_block < rows);
    RC_ASSERT(plan.elements_per_result == row_length);
    RC_ASSERT(plan.count == (splits ? 2U : 1U));
    if (splits) {
        RC_ASSERT(plan.steps[1].grid == std::max<std::uint64_t>(1, rows));
        RC_ASSERT(plan.steps[1].row_length == count);
        RC_ASSERT(plan.steps[1].n == rows * count);
        RC_ASSERT(plan.workspace_bytes >= LaunchPlan::header_bytes + grid * rule.slot_bytes);
    }
}

/// Returns a rule for problems with columns.
LaunchRule columns_rule(std::uint32_t columns_per_block, std::uint32_t parts) {
    LaunchRule rule;
    rule.block = 256;
    rule.tile = 4096;
    rule.grid = GridRule::columns;
    rule.columns_per_block = columns_per_block;
    rule.parts = parts;
    if (parts > 1) rule.continuation = Continuation::combine_partials;
    if (parts > 1) rule.slot_bytes = 4;
    return rule;
}

TEST(LaunchRule, AStripOfColumnsHasABlockForEachPart) {
    const LaunchPlan one = make_plan(columns_rule(128, 1), Extents{1, 1000, 300});
    ASSERT_EQ(one.count, 1U);
    EXPECT_EQ(one.steps[0].grid, 3U);
    EXPECT_EQ(one.steps[0].n, 300'000U);
    EXPECT_EQ(one.steps[0].columns, 300U);
    EXPECT_EQ(one.elements_per_result, 1000U);
    EXPECT_EQ(one.workspace_bytes, LaunchPlan::header_bytes);

    const LaunchPlan parts = make_plan(columns_rule(128, 8), Extents{1, 1000, 300});
    ASSERT_EQ(parts.count, 2U);
    EXPECT_EQ(parts.steps[0].grid, 24U);
    EXPECT_EQ(parts.steps[1].grid, 300U);
    EXPECT_EQ(parts.steps[1].n, 2400U);
    EXPECT_EQ(parts.steps[1].row_length, 8U);
    EXPECT_EQ(parts.steps[1].columns, 0U) << "partials that are combined are next to each other";
    EXPECT_EQ(parts.workspace_bytes, LaunchPlan::header_bytes + 2400 * 4);
}

TEST(LaunchRule, SeveralMatricesShareTheParts) {
    EXPECT_EQ(make_plan(columns_rule(64, 8), Extents{2, 1000, 64}).steps[0].grid, 8U) << "2 strips, 4 parts";
    const LaunchPlan many = make_plan(columns_rule(64, 8), Extents{100, 1000, 64});
    EXPECT_EQ(many.count, 1U) << "one part is left, whose blocks write the results";
    EXPECT_EQ(many.steps[0].grid, 100U);
    EXPECT_EQ(many.workspace_bytes, LaunchPlan::header_bytes);
}

/// Returns a rule whose parts publish their partial results in slots.
LaunchRule publishing_columns_rule(std::uint32_t columns_per_block, std::uint32_t parts) {
    LaunchRule rule = columns_rule(columns_per_block, parts);
    rule.continuation = Continuation::none;
    rule.slot_bytes = 8 * columns_per_block;
    rule.slots_zeroed = true;
    return rule;
}

TEST(LaunchRule, PartsThatPublishHaveASlotForEachBlock) {
    const LaunchRule rule = publishing_columns_rule(64, 8);
    const LaunchPlan one = make_plan(rule, Extents{1, 1000, 64});
    EXPECT_EQ(one.count, 1U);
    EXPECT_EQ(one.workspace_bytes, LaunchPlan::header_bytes + std::uint64_t{8} * 64 * 8);
    EXPECT_EQ(one.zeroed_bytes, one.workspace_bytes);
    EXPECT_EQ(make_plan(rule, Extents{100, 1000, 64}).workspace_bytes, LaunchPlan::header_bytes)
        << "one part is left, which publishes nothing";
}

RC_GTEST_PROP(LaunchRule, SeveralMatricesNeedNoMoreWorkspaceThanOne, ()) {
    const auto columns_per_block = *rc::gen::inRange<std::uint32_t>(1, 500);
    const LaunchRule rule = publishing_columns_rule(columns_per_block, *rc::gen::inRange<std::uint32_t>(2, 300));
    const auto outer = *rc::gen::inRange<std::uint64_t>(2, 400);
    const auto rows = *rc::gen::inRange<std::uint64_t>(1, 100);
    const auto columns = *rc::gen::inRange<std::uint64_t>(1, 3000);
    RC_ASSERT(make_plan(rule, Extents{outer, rows, columns}).workspace_bytes <=
              make_plan(rule, Extents{1, outer * rows, columns}).workspace_bytes);
}

TEST(LaunchRule, MatricesWithoutRowsHaveResults) {
    const LaunchPlan plan = make_plan(columns_rule(64, 1), Extents{3, 0, 64});
    EXPECT_EQ(plan.steps[0].grid, 3U);
    EXPECT_EQ(plan.steps[0].columns, 64U);
    EXPECT_EQ(plan.steps[0].n, 192U) << "the kernel cannot compute the number of results from 0 elements";
    EXPECT_EQ(plan.elements_per_result, 0U);
}

TEST(LaunchRule, ColumnsBeyondTheLargestGridHaveNoPlan) {
    EXPECT_EQ(try_plan(columns_rule(1, 1), Extents{1, 1, max_grid}).count, 1U);
    EXPECT_EQ(try_plan(columns_rule(1, 1), Extents{1, 1, max_grid + 1}).count, 0U);
    EXPECT_EQ(try_plan(columns_rule(1024, 2), Extents{1, 8, max_grid + 1}).count, 0U)
        << "the second launch has a block for each column";
    EXPECT_EQ(try_plan(columns_rule(0, 0), Extents{1, 1, 64}).steps[0].grid, 64U) << "from a damaged database";
}

RC_GTEST_PROP(LaunchRule, GridsCoverAllColumnsAndSeveralMatricesNeedNoMoreWorkspace, ()) {
    const auto columns_per_block = *rc::gen::inRange<std::uint32_t>(1, 5000);
    const LaunchRule rule = columns_rule(columns_per_block, *rc::gen::inRange<std::uint32_t>(1, 3000));
    const auto outer = *rc::gen::inRange<std::uint64_t>(1, 1000);
    const auto inner = *rc::gen::inRange<std::uint64_t>(1, 10'000);
    const auto reduced = *rc::gen::inRange<std::uint64_t>(1, 1 << 20);
    const Extents extents{outer, reduced, inner};
    const LaunchPlan plan = make_plan(rule, extents);
    const Launch& first = plan.steps[0];
    const std::uint64_t strips = (extents.results() + columns_per_block - 1) / columns_per_block;
    RC_ASSERT(first.grid % strips == 0U);
    const std::uint64_t parts = first.grid / strips;
    RC_ASSERT(parts >= 1U);
    RC_ASSERT(parts <= rule.parts);
    RC_ASSERT(first.n == extents.n());
    RC_ASSERT(first.columns == inner);
    RC_ASSERT(plan.elements_per_result == reduced);
    RC_ASSERT(plan.count == (parts == 1 ? 1U : 2U));
    if (parts > 1) {
        RC_ASSERT(plan.steps[1].grid == extents.results());
        RC_ASSERT(plan.steps[1].row_length == parts);
        RC_ASSERT(plan.workspace_bytes == LaunchPlan::header_bytes + extents.results() * parts * rule.slot_bytes);
    }
    // The library plans its workspaces for one matrix of any number of elements.
    RC_ASSERT(plan.workspace_bytes <= make_plan(rule, Extents{1, outer * reduced, inner}).workspace_bytes);
}

RC_GTEST_PROP(LaunchRule, FixedGridsCoverAllElementsOrHaveAllTheirBlocks, ()) {
    LaunchRule rule = repeated_tiles_rule(256);
    rule.grid = GridRule::blocks;
    rule.continuation = Continuation::none;
    rule.blocks = *rc::gen::inRange(1U, 5000U);
    rule.tile = *rc::gen::inRange<std::uint64_t>(1, 1 << 16);
    const auto n = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 40);
    const std::uint64_t grid = make_plan(rule, n).steps[0].grid;
    RC_ASSERT(grid >= 1U);
    RC_ASSERT(grid <= rule.blocks);
    RC_ASSERT(grid == rule.blocks || grid * rule.tile >= n);
    RC_ASSERT(grid == 1U || (grid - 1) * rule.tile < n);  // every block has a tile
}

TEST(LaunchRule, NamesRoundTrip) {
    for (GridRule rule : {GridRule::one, GridRule::tiles, GridRule::blocks_per_sm, GridRule::blocks, GridRule::rows}) {
        EXPECT_EQ(parse_grid_rule(to_string(rule)), rule);
    }
    for (Continuation continuation : {Continuation::none, Continuation::combine_partials, Continuation::repeat}) {
        EXPECT_EQ(parse_continuation(to_string(continuation)), continuation);
    }
    EXPECT_THAT([] { parse_grid_rule("two"); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("one, tiles, blocks_per_sm, blocks, rows")));
    EXPECT_THROW(parse_continuation("two"), InputError);
}

}  // namespace
}  // namespace redtune
