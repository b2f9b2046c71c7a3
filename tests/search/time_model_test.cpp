#include "tuner/search/time_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/devices.h"

namespace redtune::search {
namespace {

using testing::ElementsAre;

/// Returns a trial whose blocks read `bytes` bytes in a round.
Trial trial(const char* family, std::uint32_t block, std::uint64_t bytes, GridRule grid, std::uint32_t blocks = 1) {
    Trial trial;
    trial.configuration.family = family;
    trial.configuration.parameters = {{"block", std::int64_t{block}}, {"bytes", static_cast<std::int64_t>(bytes)}};
    trial.rule.block = block;
    trial.rule.tile = bytes / sizeof(float);
    trial.rule.grid = grid;
    trial.rule.blocks = blocks;
    trial.bytes_in_flight = bytes;
    return trial;
}

Trial one_block(std::uint32_t block, std::uint64_t bytes) {
    return trial("one", block, bytes, GridRule::one);
}
Trial several_blocks(std::uint32_t block, std::uint64_t bytes, std::uint32_t blocks) {
    return trial("several", block, bytes, GridRule::blocks, blocks);
}

double estimate(const Trial& trial, std::uint64_t n) {
    return estimated_us(trial, test_support::h200(), make_problem("sum", Type::f32), n);
}

TEST(TimeModel, ATileOfTheArraysSizeIsTheFastestOfOneBlock) {
    constexpr std::uint64_t n = 4096;
    EXPECT_LT(estimate(one_block(256, 4 * n), n), estimate(one_block(256, 2 * n), n)) << "two rounds";
    EXPECT_LT(estimate(one_block(256, 4 * n), n), estimate(one_block(256, 8 * n), n)) << "half of the loads are idle";
    EXPECT_LT(estimate(one_block(256, 4 * n), n), estimate(one_block(1024, 4 * n), n)) << "more threads";
}

TEST(TimeModel, LargeArraysNeedManyBytesInFlight) {
    constexpr std::uint64_t n = 1 << 26;
    EXPECT_LT(estimate(several_blocks(256, 32768, 132), n), estimate(several_blocks(256, 4096, 132), n));
    EXPECT_LT(estimate(several_blocks(256, 32768, 132), n), estimate(several_blocks(256, 32768, 13), n));
    EXPECT_LT(estimate(several_blocks(256, 32768, 132), n), estimate(one_block(256, 32768), n));
}

TEST(TimeModel, IsNotBelowTheTimeOfReadingTheInputAtThePeak) {
    constexpr std::uint64_t n = 1 << 28;
    const double us = 4.0 * n / (test_support::h200().peak_gb_per_s * 1e3);
    EXPECT_GT(estimate(several_blocks(256, 32768, 264), n), us);
    EXPECT_LT(estimate(several_blocks(256, 32768, 264), n), 1.2 * us);
}

/// Returns the estimate of 256 Ki elements in 128 blocks that combine their results by a finish.
double estimate_with_finish(const char* finish) {
    Trial trial = several_blocks(256, 8192, 128);
    trial.configuration.parameters.push_back({"finish", std::string(finish)});
    return estimate(trial, 1 << 18);
}

TEST(TimeModel, KnowsHowFastEachFinishCombines) {
    EXPECT_LT(estimate_with_finish("packed"), estimate_with_finish("publish"));
    EXPECT_LT(estimate_with_finish("publish"), estimate_with_finish("dependent"));
    EXPECT_LT(estimate_with_finish("publish"), estimate_with_finish("atomic"));
    EXPECT_LT(estimate_with_finish("dependent"), estimate_with_finish("two_kernel"));
    EXPECT_LT(estimate_with_finish("two_kernel"), estimate_with_finish("ticket"));
}

TEST(TimeModel, ASecondLaunchTakesLongerThoughTheFamilyNamesNoFinish) {
    constexpr std::uint64_t n = 1 << 18;
    const Trial one_launch = several_blocks(256, 8192, 128);
    Trial two_launches = one_launch;
    two_launches.rule.continuation = Continuation::combine_partials;
    EXPECT_LT(estimate(one_launch, n), estimate(two_launches, n));
}

TEST(LikelyTrials, AreTheFastestByTheirEstimatesFamiliesTakeTurns) {
    Cell cell;
    cell.n = 1 << 16;
    for (const std::uint64_t bytes : {1024, 2048, 4096}) {
        cell.trials.push_back(trial("a", 256, bytes, GridRule::blocks, static_cast<std::uint32_t>((1 << 18) / bytes)));
    }
    cell.trials.push_back(trial("b", 512, 4096, GridRule::blocks, 64));
    cell.trials.push_back(trial("slow", 32, 128, GridRule::one));
    cell.trials.push_back(cell.trials.front());
    cell.trials.back().bytes_in_flight = 0;
    const Problem sum = make_problem("sum", Type::f32);
    EXPECT_THAT(likely_trials(cell, test_support::h200(), sum), ElementsAre(2, 1, 3, 0));
}

TEST(LikelyTrials, AreNotMoreThanAreAskedFor) {
    Cell cell;
    cell.n = 1 << 12;
    EXPECT_TRUE(likely_trials(cell, test_support::h200(), make_problem("sum", Type::f32)).empty());
    for (std::uint32_t block = 32; block <= 1024; block += 32) cell.trials.push_back(one_block(block, 1 << 14));
    EXPECT_EQ(likely_trials(cell, test_support::h200(), make_problem("sum", Type::f32)).size(), most_likely);
}

}  // namespace
}  // namespace redtune::search
