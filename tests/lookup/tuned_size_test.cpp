#include "tuner/lookup/tuned_size.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace redtune::lookup {
namespace {

/// Returns a rule that can be launched for any n.
LaunchRule rule_for_any_n() {
    LaunchRule rule;
    rule.block = 256;
    rule.tile = 1024;
    rule.grid = GridRule::blocks_per_sm;
    rule.blocks_per_sm = 1;
    rule.sm_count = 132;
    return rule;
}

/// Returns a rule with one block for each element, which cannot be launched for n > max_grid.
LaunchRule rule_for_small_n() {
    LaunchRule rule;
    rule.block = 1;
    rule.tile = 1;
    rule.grid = GridRule::tiles;
    return rule;
}

TunedSize tuned_size(std::uint64_t n, double time_us, const LaunchRule& rule = rule_for_any_n()) {
    TunedSize size;
    size.n = n;
    size.time_us = time_us;
    size.rule = rule;
    return size;
}

TEST(TunedSize, IsEmptyIfNothingIsTuned) {
    EXPECT_FALSE(pick({}, 5));
}

TEST(TunedSize, ATunedSizeIsExact) {
    const std::vector sizes{tuned_size(0, 1), tuned_size(1024, 2), tuned_size(4096, 3)};
    for (const TunedSize& size : sizes) {
        const auto picked = pick(sizes, size.n);
        ASSERT_TRUE(picked);
        EXPECT_EQ(picked->kind, MatchKind::exact);
        EXPECT_EQ(picked->tuned->n, size.n);
        EXPECT_EQ(picked->expected_us, size.time_us);
        EXPECT_EQ(picked->plan.steps[0].n, size.n);
    }
}

TEST(TunedSize, BetweenTwoSizesPicksTheNearerInLogAndTheLargerOfEquals) {
    const std::vector sizes{tuned_size(1024, 2), tuned_size(4096, 8)};
    EXPECT_EQ(pick(sizes, 2047)->tuned->n, 1024U);
    EXPECT_EQ(pick(sizes, 2048)->tuned->n, 4096U);
    EXPECT_EQ(pick(sizes, 2048)->kind, MatchKind::between);
    EXPECT_NEAR(pick(sizes, 2048)->expected_us, 4, 1e-9);
}

TEST(TunedSize, DistancesAreExactBeyondDoublePrecision) {
    const std::uint64_t large = std::uint64_t{1} << 62;
    const std::vector sizes{tuned_size(large, 1), tuned_size(large + 4, 1)};
    EXPECT_EQ(pick(sizes, large + 1)->tuned->n, large);
    EXPECT_EQ(pick(sizes, large + 2)->tuned->n, large + 4);  // nearer to large + 4
    EXPECT_EQ(pick(sizes, large + 3)->tuned->n, large + 4);
}

TEST(TunedSize, OutsideTheRangePicksTheNearestEnd) {
    const std::vector sizes{tuned_size(1024, 2), tuned_size(4096, 8)};
    for (const std::uint64_t n : {0, 1, 1023}) {
        EXPECT_EQ(pick(sizes, n)->kind, MatchKind::beyond);
        EXPECT_EQ(pick(sizes, n)->tuned->n, 1024U);
        EXPECT_EQ(pick(sizes, n)->expected_us, 2);
    }
    EXPECT_EQ(pick(sizes, 40960)->kind, MatchKind::beyond);
    EXPECT_EQ(pick(sizes, 40960)->tuned->n, 4096U);
    EXPECT_DOUBLE_EQ(pick(sizes, 40960)->expected_us, 80);
}

TEST(TunedSize, PicksTheOtherNeighbourIfTheNearerCannotBeLaunched) {
    const std::uint64_t low = 1 << 30;
    const std::uint64_t high = std::uint64_t{1} << 40;
    const std::uint64_t n = max_grid + 1;
    const std::vector sizes{tuned_size(low, 1, rule_for_small_n()), tuned_size(high, 1000)};
    EXPECT_EQ(pick(sizes, low + 1)->tuned->n, low);
    EXPECT_EQ(pick(sizes, n)->tuned->n, high);
    EXPECT_EQ(pick(sizes, n)->kind, MatchKind::between);
    EXPECT_GT(pick(sizes, n)->plan.count, 0U);
    EXPECT_FALSE(pick({sizes.data(), 1}, n));
}

TEST(TunedSize, ZeroElementsArePickedLikeOne) {
    const std::vector sizes{tuned_size(0, 1), tuned_size(16, 2)};
    EXPECT_EQ(pick(sizes, 3)->tuned->n, 0U);
    EXPECT_EQ(pick(sizes, 4)->tuned->n, 16U);
    EXPECT_NEAR(pick(sizes, 4)->expected_us, std::sqrt(2.0), 1e-9);
    EXPECT_DOUBLE_EQ(pick({sizes.data(), 1}, 8)->expected_us, 8);
}

/// Generates tuned sizes over the whole range of n. Their times grow with n.
std::vector<TunedSize> any_sizes() {
    const auto shift = rc::gen::inRange(0, 62);
    const auto generated = *rc::gen::nonEmpty(rc::gen::container<std::set<std::uint64_t>>(
        rc::gen::apply([](int bits, std::uint64_t low) { return (std::uint64_t{1} << bits) + low; }, shift,
                       rc::gen::inRange<std::uint64_t>(0, 1000))));
    std::vector<TunedSize> sizes;
    for (const std::uint64_t n : generated) sizes.push_back(tuned_size(n, 1 + static_cast<double>(n) / 1e6));
    return sizes;
}

std::uint64_t any_n() {
    return *rc::gen::arbitrary<std::uint64_t>() >> *rc::gen::inRange(0, 64);
}

RC_GTEST_PROP(TunedSize, PicksTheNearestInLog, ()) {
    const auto sizes = any_sizes();
    const std::uint64_t n = any_n();
    const auto picked = pick(sizes, n);
    RC_ASSERT(picked.has_value());
    const auto distance = [&](const TunedSize& size) {
        return std::abs(std::log(std::max(1.0L, static_cast<long double>(n))) -
                        std::log(std::max(1.0L, static_cast<long double>(size.n))));
    };
    for (const TunedSize& other : sizes) RC_ASSERT(distance(*picked->tuned) <= distance(other) + 1e-15L);
}

RC_GTEST_PROP(TunedSize, TheKindTellsWhereNIsInTheTunedRange, ()) {
    const auto sizes = any_sizes();
    const std::uint64_t n = *rc::gen::oneOf(rc::gen::just(any_n()), rc::gen::just(sizes.front().n));
    const bool tuned_itself = std::any_of(sizes.begin(), sizes.end(), [&](const auto& size) { return size.n == n; });
    const bool inside = n > sizes.front().n && n < sizes.back().n;
    const MatchKind expected = tuned_itself ? MatchKind::exact : inside ? MatchKind::between : MatchKind::beyond;
    RC_ASSERT(pick(sizes, n)->kind == expected);
}

RC_GTEST_PROP(TunedSize, ExpectedTimeGrowsWithN, ()) {
    const auto sizes = any_sizes();
    const auto [low, high] = std::minmax({any_n(), any_n()});
    const auto of_low = pick(sizes, low);
    const auto of_high = pick(sizes, high);
    RC_ASSERT(of_low->tuned->n <= of_high->tuned->n);
    RC_ASSERT(of_low->expected_us <= of_high->expected_us * (1 + 1e-12));
}

RC_GTEST_PROP(TunedSize, ThePlanIsThatOfTheRuleForN, ()) {
    const auto sizes = any_sizes();
    const std::uint64_t n = any_n();
    const auto picked = pick(sizes, n);
    const LaunchPlan plan = make_plan(picked->tuned->rule, n);
    RC_ASSERT(picked->plan.count == plan.count);
    RC_ASSERT(picked->plan.steps[0].grid == plan.steps[0].grid);
    RC_ASSERT(picked->plan.steps[0].n == n);
    RC_ASSERT(picked->plan.workspace_bytes == plan.workspace_bytes);
}

}  // namespace
}  // namespace redtune::lookup
