#include "tuner/search/least_time.h"

#include <gtest/gtest.h>

#include "tests/support/devices.h"
#include "tuner/timing/constants.h"

namespace redtune::search {
namespace {

constexpr std::uint64_t n = 1 << 28;
constexpr double gib_us = timing::least_memory_latency_us * (1 << 30);

/// `blocks` blocks of 256 threads, each with 4 KiB in flight.
Candidate candidate(std::uint32_t blocks) {
    Candidate candidate;
    candidate.rule.block = 256;
    candidate.rule.tile = 1024;
    candidate.rule.grid = GridRule::blocks;
    candidate.rule.blocks = blocks;
    candidate.bytes_in_flight = 4096;
    return candidate;
}

double least(const Candidate& candidate, Regime regime = Regime::cold, const char* op = "sum") {
    return least_time_us(candidate, test_support::h200(), make_problem(op, Type::f32), n, regime);
}

TEST(LeastTime, FollowsFromTheBytesInFlightOfTheGrid) {
    EXPECT_DOUBLE_EQ(least(candidate(132)), gib_us / (132 * 4096));
    EXPECT_DOUBLE_EQ(least(candidate(132), Regime::cold, "dot"), 2 * gib_us / (132 * 4096)) << "two arrays";
}

TEST(LeastTime, CallsBackToBackReadMemory) {
    EXPECT_EQ(least(candidate(132), Regime::back_to_back), least(candidate(132), Regime::cold));
    EXPECT_LT(least(candidate(132), Regime::warm), least(candidate(132), Regime::cold));
}

TEST(LeastTime, BlocksThatWaitForAnSmHaveNothingInFlight) {
    EXPECT_DOUBLE_EQ(least(candidate(100'000)), gib_us / (132 * 8 * 4096)) << "2048 threads an SM";
    Candidate small = candidate(100'000);
    small.rule.block = 32;
    EXPECT_DOUBLE_EQ(least(small), gib_us / (132 * 32 * 4096)) << "32 blocks an SM";
}

TEST(LeastTime, TheCacheAnswersSooner) {
    EXPECT_LT(least(candidate(132), Regime::warm), least(candidate(132)));
}

TEST(LeastTime, IsNothingWhereTheFamilyDoesNotSay) {
    Candidate unknown = candidate(1);
    unknown.bytes_in_flight = 0;
    EXPECT_EQ(least(unknown), 0);
}

}  // namespace
}  // namespace redtune::search
