#include "tuner/timing/plausibility.h"

#include <gtest/gtest.h>

namespace redtune::timing {
namespace {

constexpr Ceilings h200_ceilings{4814, 7000};

Measurement timed(double us, double floor_us = 0.5) {
    Measurement measurement;
    measurement.median_us = us;
    measurement.floor_us = floor_us;
    return measurement;
}

Status judged(Measurement measurement, std::uint64_t bytes, Regime regime, const Ceilings& ceilings = h200_ceilings) {
    judge_plausibility(measurement, bytes, regime, ceilings);
    EXPECT_EQ(measurement.status == Status::implausible, !measurement.reason.empty());
    return measurement.status;
}

TEST(Plausibility, AColdTimeAboveTheMemorysPeakIsImplausible) {
    EXPECT_EQ(judged(timed(1000), 4'800'000'000, Regime::cold), Status::ok);
    EXPECT_EQ(judged(timed(1000), 4'820'000'000, Regime::cold), Status::implausible);
}

TEST(Plausibility, CallsBackToBackHaveTheMemorysCeiling) {
    EXPECT_EQ(judged(timed(10), 48'000'000, Regime::back_to_back), Status::ok);
    EXPECT_EQ(judged(timed(10), 65'000'000, Regime::back_to_back), Status::implausible) << "6.5 TB/s";
}

TEST(Plausibility, AWarmTimeHasTheCachesCeiling) {
    EXPECT_EQ(judged(timed(10), 60'000'000, Regime::warm), Status::ok);
    EXPECT_EQ(judged(timed(10), 80'000'000, Regime::warm), Status::implausible);
}

TEST(Plausibility, ATimeBelowTheFloorIsImplausible) {
    EXPECT_EQ(judged(timed(0.6, 0.5), 4, Regime::cold), Status::ok);
    EXPECT_EQ(judged(timed(0.4, 0.5), 4, Regime::cold), Status::implausible);
    EXPECT_EQ(judged(timed(0), 0, Regime::cold), Status::implausible);
}

// The floor is measured: an H200 takes 5.16 ms to launch 8 million blocks of 64 threads, with or without work.
TEST(Plausibility, ATimeMayEqualTheFloorUpToNoise) {
    EXPECT_EQ(judged(timed(5155.8239, 5162.0798), std::uint64_t{1} << 31, Regime::cold), Status::ok);
    EXPECT_EQ(judged(timed(4800, 5162.0798), std::uint64_t{1} << 31, Regime::cold), Status::implausible);
}

TEST(Plausibility, AnUnknownCeilingIsNotTested) {
    EXPECT_EQ(judged(timed(1), 1'000'000'000, Regime::cold, {}), Status::ok);
}

TEST(Plausibility, AnotherStatusIsKept) {
    Measurement measurement = timed(0);
    measurement.status = Status::wrong;
    measurement.reason = "expected 1, got 2";
    judge_plausibility(measurement, 4, Regime::cold, h200_ceilings);
    EXPECT_EQ(measurement.status, Status::wrong);
    EXPECT_EQ(measurement.reason, "expected 1, got 2");
}

}  // namespace
}  // namespace redtune::timing
