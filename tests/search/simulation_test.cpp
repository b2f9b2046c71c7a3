#include "tuner/search/simulation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

/// Simulates searches of the eight candidates of the family "fake". The fastest has block 128 and 2 blocks per SM.
class SimulationTest : public ::testing::Test {
  protected:
    SimulationTest() {
        request_.problem = make_problem("sum", Type::f32);
        request_.sizes = {1 << 18, 1 << 20};
        request_.strategies = {StrategyKind::random};
        request_.seeds = 5;
        request_.budgets = {1, 3, 100};
    }
    std::vector<SimulatedSearch> results() { return simulate(executor_, families_, request_); }

    std::vector<Family> families_{parse_families("fake.cuh", front_matter).front()};
    FakeExecutor executor_;
    SimulationRequest request_;
};

TEST_F(SimulationTest, TheRegretFallsToZeroWhenAllCandidatesAreScreened) {
    const std::vector<SimulatedSearch> searches = results();
    ASSERT_EQ(searches.size(), 3U);
    EXPECT_EQ(searches[0].screenings, 1);
    EXPECT_DOUBLE_EQ(searches[1].share, 3.0 / 8);
    EXPECT_EQ(searches[2].screenings, 8) << "there are no more";
    EXPECT_DOUBLE_EQ(searches[2].share, 1);
    EXPECT_GT(searches[0].regret_largest, 0);
    EXPECT_GE(searches[0].regret_largest, searches[1].regret_largest);
    EXPECT_EQ(searches[2].regret_largest, 0);
}

TEST_F(SimulationTest, AFailedCandidateIsNeverChosen) {
    executor_.failing = {"fake(block=128, blocks_per_sm=2)"};
    EXPECT_EQ(results().back().regret_largest, 0) << "the best of the others";
    executor_.failing.clear();
    for (const int block : {32, 64, 128, 256}) {
        for (const int blocks : {1, 2}) {
            executor_.failing.insert("fake(block=" + std::to_string(block) +
                                     ", blocks_per_sm=" + std::to_string(blocks) + ")");
        }
    }
    EXPECT_TRUE(std::isinf(results().back().regret_median)) << "there is nothing to choose";
}

/// An executor that has a time of only some candidates of one size.
class PartlyRecorded : public FakeExecutor {
  public:
    bool offers(const Trial& trial, std::uint64_t n, Regime) const override {
        return n == 1 << 18 || trial.rule.block != 64;
    }
};

TEST_F(SimulationTest, OnlySizesWhoseCandidatesWereAllMeasuredCanBeSearched) {
    EXPECT_EQ(searchable_sizes(PartlyRecorded(), families_, request_.problem, Regime::cold, request_.sizes),
              (std::vector<std::uint64_t>{1 << 18}));
}

TEST_F(SimulationTest, WhatIsKnownOfOtherSizesHelps) {
    request_.strategies = {StrategyKind::local};
    request_.budgets = {1};
    EXPECT_GT(results().front().regret_largest, 0);
    request_.known = Known::neighbours;
    EXPECT_EQ(results().front().regret_largest, 0) << "the same candidate is the best one at both sizes";
    request_.known = Known::earlier;
    request_.sizes = {1 << 18, 1 << 19, 1 << 20, 1 << 21};
    request_.budgets = {1, 8};
    const std::vector<SimulatedSearch> in_turn = results();
    EXPECT_GT(in_turn[0].regret_median, 0) << "one screening finds nothing that helps the next size";
    EXPECT_EQ(in_turn[1].regret_largest, 0);
    request_.budgets = {3};
    request_.seeds = 20;
    for (std::uint64_t n = 1 << 22; n <= 1 << 27; n *= 2) request_.sizes.push_back(n);
    const double with_earlier = results().front().regret_median;
    request_.known = Known::in_flight;
    const double in_flight = results().front().regret_median;
    request_.known = Known::nothing;
    EXPECT_LT(with_earlier, results().front().regret_median);
    EXPECT_LE(in_flight, results().front().regret_median);
    EXPECT_GE(in_flight, with_earlier) << "fewer sizes are known";
}

TEST_F(SimulationTest, CountsTheKernelsThatNoSizeBeforeHasAskedFor) {
    const std::vector<SimulatedSearch> alone = results();
    EXPECT_EQ(alone[0].kernels, 1);
    EXPECT_GT(alone[1].kernels, 1);
    EXPECT_EQ(alone[2].kernels, 4) << "two candidates of each block size share a kernel";
    request_.known = Known::earlier;
    EXPECT_EQ(results()[2].kernels, 2) << "the second size needs no others";
}

TEST_F(SimulationTest, StrategiesWithoutASeedSearchOnce) {
    request_.strategies = {StrategyKind::exhaustive, StrategyKind::random};
    const std::vector<SimulatedSearch> searches = results();
    ASSERT_EQ(searches.size(), 6U);
    EXPECT_EQ(searches[0].strategy, StrategyKind::exhaustive);
    EXPECT_EQ(searches[2].regret_largest, 0);
    EXPECT_EQ(searches[3].strategy, StrategyKind::random);
    EXPECT_EQ(searches[3].budget, 1U);
}

}  // namespace
}  // namespace redtune::search
