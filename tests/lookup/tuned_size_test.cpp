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
        LaunchPlan plan;
        const auto picked = pick(sizes, size.n, Shape(), plan);
        ASSERT_TRUE(picked);
        EXPECT_EQ(picked->kind, MatchKind::exact);
        EXPECT_EQ(picked->tuned->n, size.n);
        EXPECT_EQ(picked->expected_us, size.time_us);
        EXPECT_EQ(plan.steps[0].n, size.n);
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
    LaunchPlan plan;
    EXPECT_TRUE(pick(sizes, n, Shape(), plan));
    EXPECT_GT(plan.count, 0U);
    EXPECT_FALSE(pick({sizes.data(), 1}, n));
}

TEST(TunedSize, ZeroElementsArePickedLikeOne) {
    const std::vector sizes{tuned_size(0, 1), tuned_size(16, 2)};
    EXPECT_EQ(pick(sizes, 3)->tuned->n, 0U);
    EXPECT_EQ(pick(sizes, 4)->tuned->n, 16U);
    EXPECT_NEAR(pick(sizes, 4)->expected_us, 1.25, 1e-9);
    EXPECT_DOUBLE_EQ(pick({sizes.data(), 1}, 8)->expected_us, 8);
}

/// Returns two sizes whose winners were also timed at each other's size.
std::vector<TunedSize> two_sizes(double low_us, double upper_winner_us, double lower_winner_us, double high_us) {
    std::vector sizes{tuned_size(1000, low_us), tuned_size(2000, high_us)};
    sizes[0].of_upper_winner_us = upper_winner_us;
    sizes[1].of_lower_winner_us = lower_winner_us;
    return sizes;
}

TEST(TunedSize, BetweenTwoSizesPicksTheWinnerThatIsFasterThere) {
    const auto sizes = two_sizes(2, 2.5, 3.5, 3);  // the lines cross in the middle
    EXPECT_EQ(pick(sizes, 1499)->tuned->n, 1000U);
    EXPECT_EQ(pick(sizes, 1501)->tuned->n, 2000U);
    EXPECT_NEAR(pick(sizes, 1250)->expected_us, 2.375, 1e-9) << "of the picked configuration itself";
    EXPECT_NEAR(pick(sizes, 1750)->expected_us, 2.875, 1e-9);
    const auto late = two_sizes(2, 2.9, 3.0, 2.95);
    EXPECT_EQ(pick(late, 1900)->tuned->n, 1000U) << "the smaller size's winner is faster almost up to the larger size";
}

TEST(TunedSize, ATimeThatGrowsFasterThanNCountsAsReachedAtOnce) {
    const auto step = two_sizes(1, 1.5, 4, 2);
    EXPECT_EQ(pick(step, 1010)->tuned->n, 2000U) << "4 us against 1.5 us";
    EXPECT_NEAR(pick(step, 1500)->expected_us, 1.75, 1e-9);
}

TEST(TunedSize, AWinnerWithBothTimesIsPreferred) {
    auto sizes = two_sizes(2, 0, 3, 3);
    EXPECT_EQ(pick(sizes, 1990)->tuned->n, 1000U) << "the larger size's winner was never timed at the smaller size";
    sizes = two_sizes(2, 2, 0, 3);
    EXPECT_EQ(pick(sizes, 1010)->tuned->n, 2000U);
}

TEST(TunedSize, OfTwoNeighboursTheSmallerServesExactMatchesOnly) {
    std::vector sizes{tuned_size(1001, 2), tuned_size(2000, 1), tuned_size(2001, 4)};
    sizes[0].of_upper_winner_us = 3;
    sizes[2].of_lower_winner_us = 5;
    EXPECT_EQ(next_interpolation_size(sizes, 0, 1), 2U);
    EXPECT_EQ(pick(sizes, 2000)->expected_us, 1);
    EXPECT_EQ(pick(sizes, 1990)->tuned->n, 2001U);
    EXPECT_GT(pick(sizes, 1990)->expected_us, 3.9);
    EXPECT_EQ(next_interpolation_size(sizes, 0, 1000), 1U) << "1 element is no row of 1000";
}

TEST(TunedSize, NeverPicksAConfigurationThatIsNoCandidate) {
    auto sizes = two_sizes(2, 2.5, 2.5, 3);
    sizes[0].candidate_for = {0, 1200};
    EXPECT_EQ(pick(sizes, 1100)->tuned->n, 1000U);
    EXPECT_EQ(pick(sizes, 1201)->tuned->n, 2000U);
    sizes[1].candidate_for = {1400, 5000};
    EXPECT_FALSE(pick(sizes, 1300)) << "neither is a candidate";
    EXPECT_EQ(pick(sizes, 10)->tuned->n, 1000U);
    EXPECT_FALSE(pick(sizes, 6000));
    sizes.insert(sizes.begin(), tuned_size(10, 1));
    EXPECT_EQ(pick(sizes, 1300)->tuned->n, 10U);
    EXPECT_EQ(pick(sizes, 1300)->kind, MatchKind::between);
    EXPECT_EQ(pick(sizes, 6000)->kind, MatchKind::beyond);
}

RC_GTEST_PROP(TunedSize, ThePickIsACandidateWhateverTheRanges, ()) {
    std::vector<TunedSize> sizes;
    std::uint64_t n = 0;
    for (int i = *rc::gen::inRange(1, 8); i > 0; --i) {
        n += *rc::gen::inRange<std::uint64_t>(1, 1000);
        sizes.push_back(tuned_size(n, *rc::gen::inRange(1, 100)));
        sizes.back().of_lower_winner_us = *rc::gen::inRange(0, 100);
        sizes.back().of_upper_winner_us = *rc::gen::inRange(0, 100);
        sizes.back().candidate_for = {n - *rc::gen::inRange<std::uint64_t>(0, n + 1),
                                      n + *rc::gen::inRange<std::uint64_t>(0, 2000)};
    }
    const std::uint64_t asked = *rc::gen::inRange<std::uint64_t>(0, 10000);
    const auto allows = [&](const TunedSize& size) {
        return size.candidate_for.least <= asked && asked <= size.candidate_for.most;
    };
    const auto picked = pick(sizes, asked);
    RC_ASSERT(picked.has_value() == std::any_of(sizes.begin(), sizes.end(), allows));
    if (picked) RC_ASSERT(allows(*picked->tuned) && picked->expected_us > 0);
}

/// Generates tuned sizes over the whole range of n. Their times grow with n.
std::vector<TunedSize> any_sizes() {
    const auto shift = rc::gen::inRange(0, 62);
    const auto generated = *rc::gen::nonEmpty(rc::gen::container<std::set<std::uint64_t>>(
        rc::gen::apply([](int bits, std::uint64_t low) { return (std::uint64_t{1} << bits) + low; }, shift,
                       rc::gen::inRange<std::uint64_t>(0, 1000))));
    std::vector<TunedSize> sizes;
    for (const std::uint64_t n : generated) {
        // Leaves out n if n - 1 is there too: pick() uses the smaller of two such sizes for exact matches only.
        if (!generated.contains(n - 1)) sizes.push_back(tuned_size(n, 1 + static_cast<double>(n) / 1e6));
    }
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
    LaunchPlan plan;
    const auto picked = pick(sizes, n, Shape(), plan);
    const LaunchPlan expected = make_plan(picked->tuned->rule, n);
    RC_ASSERT(plan.count == expected.count);
    RC_ASSERT(plan.steps[0].grid == expected.steps[0].grid);
    RC_ASSERT(plan.steps[0].n == n);
    RC_ASSERT(plan.workspace_bytes == expected.workspace_bytes);
}

}  // namespace
}  // namespace redtune::lookup
