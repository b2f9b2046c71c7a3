#include "tuner/search/lower_bound.h"

#include <gtest/gtest.h>

#include "tests/support/devices.h"
#include "tuner/timing/constants.h"

namespace redtune::search {
namespace {

constexpr std::uint64_t n = 1 << 28;
constexpr double gib_us = timing::least_memory_latency_us * (1 << 30);

/// Returns a trial with `blocks` blocks of 256 threads, each with 4 KiB in flight.
Trial trial(std::uint32_t blocks) {
    Trial trial;
    trial.rule.block = 256;
    trial.rule.tile = 1024;
    trial.rule.grid = GridRule::blocks;
    trial.rule.blocks = blocks;
    trial.bytes_in_flight = 4096;
    return trial;
}

double bound(const Trial& trial, Regime regime = Regime::cold, const char* op = "sum") {
    return lower_bound_us(trial, test_support::h200(), make_problem(op, Type::f32), n, regime);
}

TEST(LowerBound, FollowsFromTheBytesInFlightOfTheGrid) {
    EXPECT_DOUBLE_EQ(bound(trial(132)), gib_us / (132 * 4096));
    EXPECT_DOUBLE_EQ(bound(trial(132), Regime::cold, "dot"), 2 * gib_us / (132 * 4096)) << "two arrays";
}

TEST(LowerBound, CallsBackToBackReadMemory) {
    EXPECT_EQ(bound(trial(132), Regime::back_to_back), bound(trial(132), Regime::cold));
    EXPECT_LT(bound(trial(132), Regime::warm), bound(trial(132), Regime::cold));
}

TEST(LowerBound, BlocksThatWaitForAnSmHaveNothingInFlight) {
    EXPECT_DOUBLE_EQ(bound(trial(100'000)), gib_us / (132 * 8 * 4096)) << "2048 threads an SM";
    Trial small = trial(100'000);
    small.rule.block = 32;
    EXPECT_DOUBLE_EQ(bound(small), gib_us / (132 * 32 * 4096)) << "32 blocks an SM";
}

TEST(LowerBound, IsLowerForWarmInputsBecauseL2HasLessLatency) {
    EXPECT_LT(bound(trial(132), Regime::warm), bound(trial(132)));
}

TEST(LowerBound, IsZeroIfTheFamilyDerivesNoBytesInFlight) {
    Trial unknown = trial(1);
    unknown.bytes_in_flight = 0;
    EXPECT_EQ(bound(unknown), 0);
}

}  // namespace
}  // namespace redtune::search
