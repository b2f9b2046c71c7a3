#include "db/sweep_contents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/store_write_fixture.h"

namespace redtune::db {
namespace {

using testing::ElementsAre;

class SweepContentsTest : public StoreWriteTest {};

Measurement failed(Status status, const std::string& reason) {
    Measurement made;
    made.status = status;
    made.reason = reason;
    made.measured_at = "2026-11-20T13:47:05Z";
    return made;
}

TEST_F(SweepContentsTest, ASummaryCountsMeasurementsFailuresAndThrottling) {
    DeviceInfo unit = h200();
    unit.uuid = "GPU-1";
    const std::int64_t first = store_.begin_sweep(unit, problem_, toolchain(), "gpu", "redtune tune");
    record(first, candidate(4), measurement(5));
    record(first, candidate(8), failed(Status::wrong, "1 is not 2"));
    store_.finish_sweep(first, "finished");
    const std::int64_t second = begin_sweep("replay:h200");

    const std::vector<SweepSummary> sweeps = sweep_summaries(store_);
    ASSERT_EQ(sweeps.size(), 2U);
    EXPECT_EQ(sweeps[0].id, first);
    EXPECT_EQ(sweeps[0].device.uuid, "GPU-1");
    EXPECT_EQ(sweeps[0].device.sm_count, 132U);
    EXPECT_EQ(sweeps[0].problem, problem_);
    EXPECT_EQ(sweeps[0].toolchain, toolchain());
    EXPECT_EQ(sweeps[0].measurements, 2);
    EXPECT_EQ(sweeps[0].failures, 1);
    EXPECT_EQ(sweeps[0].rejected_samples, 1);
    EXPECT_EQ(sweeps[0].throttled, 1) << "bit 4 of the mask is the power cap";
    EXPECT_TRUE(sweeps[0].seconds);
    EXPECT_EQ(sweeps[1].id, second);
    EXPECT_EQ(sweeps[1].source, "replay:h200");
    EXPECT_EQ(sweeps[1].status, "running");
    EXPECT_EQ(sweeps[1].measurements, 0);
    EXPECT_FALSE(sweeps[1].seconds);
}

TEST_F(SweepContentsTest, ACellHasItsMeasurementsByStageInTheirOrder) {
    const std::int64_t sweep = begin_sweep();
    record(sweep, candidate(4), measurement(5, Stage::screen));
    record(sweep, candidate(4), measurement(4, Stage::final));
    record(sweep, candidate(8), measurement(3, Stage::screen));
    record(sweep, candidate(16), failed(Status::wrong, ""));
    record(sweep, candidate(4), measurement(2, Stage::screen), 64);
    record(sweep, candidate(4), measurement(1, Stage::screen), 64, Regime::warm);
    record(begin_sweep(), candidate(4), measurement(9, Stage::screen));

    const std::vector<SweepCell> cells = sweep_cells(store_, sweep);
    ASSERT_EQ(cells.size(), 3U);
    EXPECT_EQ(cells[0].n, 64U);
    EXPECT_EQ(cells[0].regime, Regime::cold);
    EXPECT_EQ(cells[0].data, "uniform");
    EXPECT_THAT(cells[1].times_us, ElementsAre(5, 3, 4));
    EXPECT_THAT(cells[1].of_stage, ElementsAre(2U, 0U, 1U));
    EXPECT_EQ(configurations(store_).at(cells[1].configurations[1]), candidate(8).configuration);
    EXPECT_EQ(cells[2].regime, Regime::warm);
}

TEST_F(SweepContentsTest, StatesHaveTheExtremesOfEachPart) {
    const std::int64_t sweep = begin_sweep();
    const auto add = [&](const char* time, std::optional<std::uint32_t> sm_mhz, std::optional<double> power_w) {
        Measurement made = measurement(5);
        made.measured_at = time;
        made.circumstances = {sm_mhz, std::nullopt, std::nullopt, power_w, std::nullopt};
        record(sweep, candidate(), made);
    };
    add("2026-11-20T13:47:05Z", 1980, 300);
    add("2026-11-20T13:47:06Z", 1500, 500);
    add("2026-11-20T13:47:15Z", std::nullopt, 200);
    add("2026-11-20T13:47:24Z", std::nullopt, std::nullopt);
    const std::vector<SweepState> states = sweep_states(store_, sweep, 2);
    ASSERT_EQ(states.size(), 2U);
    EXPECT_EQ(states[0].second, 0);
    EXPECT_EQ(states[0].least_sm_mhz, 1500);
    EXPECT_EQ(states[0].most_sm_mhz, 1980);
    EXPECT_EQ(states[0].power_w, 500);
    EXPECT_FALSE(states[0].temperature_c);
    EXPECT_EQ(states[1].second, 10);
    EXPECT_FALSE(states[1].most_sm_mhz);
    EXPECT_EQ(states[1].power_w, 200);
    EXPECT_TRUE(sweep_states(store_, begin_sweep(), 2).empty());
}

TEST_F(SweepContentsTest, AlikeFailuresAreCounted) {
    const std::int64_t sweep = begin_sweep();
    record(sweep, candidate(4), failed(Status::wrong, "1 is not 2"), 1024);
    const std::int64_t latest = record(sweep, candidate(8), failed(Status::wrong, "1 is not 2"), 64);
    record(sweep, candidate(4), failed(Status::timeout, "no answer"));
    const std::vector<SweepFailures> found = sweep_failures(store_);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].count, 2);
    EXPECT_EQ(found[0].status, "wrong");
    EXPECT_EQ(found[0].reason, "1 is not 2");
    EXPECT_EQ(found[0].least_n, 64U);
    EXPECT_EQ(found[0].most_n, 1024U);
    EXPECT_EQ(found[0].measurement, latest);
    EXPECT_EQ(found[0].example, candidate(8).configuration);
    EXPECT_EQ(found[1].status, "timeout");
}

}  // namespace
}  // namespace redtune::db
