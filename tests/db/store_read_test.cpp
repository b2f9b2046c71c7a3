#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/connection.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

constexpr std::uint64_t beyond_32_bits = (std::uint64_t{1} << 33) + 5;

class StoreReadTest : public testing::Test {
  protected:
    std::int64_t record(std::int64_t sweep, std::uint64_t n, const Measurement& measurement,
                        Regime regime = Regime::cold) {
        return store_.record(sweep, candidate(), "hash", n, regime, make_plan(candidate().rule, n), measurement);
    }

    /// Returns the ids of the measurements at 100 elements that a rule selects.
    std::vector<std::int64_t> ids(const MeasurementRule& rule) {
        std::vector<std::int64_t> found;
        for (const auto& stored : store_.measurements(h200(), problem_, 100, Regime::cold, rule)) {
            found.push_back(stored.id);
        }
        return found;
    }

    TemporaryFolder folder_;
    Store store_ = Store::open(folder_ / "a.db", Access::read_write);
    Problem problem_;
};

TEST_F(StoreReadTest, ReturnsAMeasurementAsItWasRecorded) {
    const Measurement taken = measurement(1234.5678);
    const std::int64_t sweep = store_.begin_sweep(h200(), problem_, toolchain(), "gpu", "");
    const std::int64_t id = record(sweep, beyond_32_bits, taken);
    const auto found = store_.measurements(h200(), problem_, beyond_32_bits, Regime::cold);
    ASSERT_EQ(found.size(), 1U);
    const StoredMeasurement& stored = found[0];
    EXPECT_EQ(stored.id, id);
    EXPECT_EQ(stored.configuration, candidate().configuration);
    EXPECT_EQ(stored.rule, candidate().rule);
    EXPECT_EQ(stored.code_hash, "hash");
    EXPECT_TRUE(stored.deterministic);
    EXPECT_EQ(stored.n, beyond_32_bits);
    EXPECT_EQ(stored.regime, Regime::cold);
    EXPECT_EQ(stored.grid, 66U);
    EXPECT_EQ(stored.block, 256U);
    const Measurement& read = stored.measurement;
    EXPECT_EQ(read.status, Status::ok);
    EXPECT_EQ(read.stage, Stage::final);
    EXPECT_EQ(read.reason, "");
    ASSERT_EQ(read.samples_us.size(), taken.samples_us.size());
    for (std::size_t i = 0; i < taken.samples_us.size(); ++i) {
        EXPECT_NEAR(read.samples_us[i], taken.samples_us[i], 0.05);
    }
    EXPECT_EQ(read.median_us, taken.median_us);
    EXPECT_EQ(read.interquartile_us, taken.interquartile_us);
    EXPECT_NEAR(read.minimum_us, taken.minimum_us, 0.05);
    EXPECT_EQ(read.rejected, taken.rejected);
    EXPECT_EQ(read.calls_per_sample, taken.calls_per_sample);
    EXPECT_EQ(read.floor_us, taken.floor_us);
    EXPECT_EQ(read.resources.registers, 40U);
    EXPECT_EQ(read.resources.shared_bytes, 1024U);
    EXPECT_EQ(read.resources.spill_bytes, 0U);
    EXPECT_EQ(read.circumstances.sm_mhz, 1980U);
    EXPECT_EQ(read.circumstances.memory_mhz, 3201U);
    EXPECT_EQ(read.circumstances.temperature_c, 41U);
    EXPECT_EQ(read.circumstances.power_w, 312.0);
    EXPECT_EQ(read.circumstances.throttle_reasons, 4U);
    EXPECT_EQ(read.measured_at, taken.measured_at);
}

TEST_F(StoreReadTest, ReturnsAFailureWithItsReason) {
    Measurement failed;
    failed.status = Status::compile_error;
    failed.reason = "line 3: \"quoted\", \xC2\xB5";
    record(store_.begin_sweep(h200(), problem_, toolchain(), "gpu", ""), 5, failed);
    const auto found = store_.measurements(h200(), problem_, 5, Regime::cold);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].measurement.status, Status::compile_error);
    EXPECT_EQ(found[0].measurement.reason, failed.reason);
    EXPECT_TRUE(found[0].measurement.samples_us.empty());
    EXPECT_EQ(found[0].measurement.median_us, 0);
    EXPECT_EQ(found[0].measurement.circumstances.sm_mhz, std::nullopt);
    EXPECT_EQ(found[0].measurement.circumstances.power_w, std::nullopt);
    EXPECT_EQ(store_.connection().text("SELECT reason FROM failures"), failed.reason);
}

TEST_F(StoreReadTest, SelectsMeasurementsByDeviceProblemSizeRegimeAndToolchain) {
    ToolchainInfo newer = toolchain();
    newer.driver_version = "600.1";
    DeviceInfo other = h200();
    other.sm_count = 114;
    Problem integers = problem_;
    integers.input = integers.accumulator = integers.output = Type::i32;
    const std::int64_t sweep = store_.begin_sweep(h200(), problem_, toolchain(), "gpu", "");
    const std::int64_t first = record(sweep, 100, measurement(1));
    record(sweep, 200, measurement(1));
    record(sweep, 100, measurement(1), Regime::warm);
    record(store_.begin_sweep(other, problem_, toolchain(), "gpu", ""), 100, measurement(1));
    record(store_.begin_sweep(h200(), integers, toolchain(), "gpu", ""), 100, measurement(1));
    const std::int64_t last = record(store_.begin_sweep(h200(), problem_, newer, "gpu", ""), 100, measurement(1));

    const auto ids = [&](const std::optional<ToolchainInfo>& of) {
        // The determinism that a problem requests does not select measurements.
        Problem strict = problem_;
        strict.determinism = Determinism::run_to_run;
        std::vector<std::int64_t> found;
        for (const auto& stored : store_.measurements(h200(), strict, 100, Regime::cold, {.toolchain = of}))
            found.push_back(stored.id);
        return found;
    };
    EXPECT_THAT(ids(std::nullopt), testing::ElementsAre(first, last));
    EXPECT_THAT(ids(toolchain()), testing::ElementsAre(first));
    EXPECT_THAT(ids(newer), testing::ElementsAre(last));
}

TEST_F(StoreReadTest, SelectsMeasurementsByRule) {
    const std::int64_t sweep = store_.begin_sweep(h200(), problem_, toolchain(), "gpu", "");
    const auto add = [&](Stage stage, const std::string& data, double us, Status status = Status::ok) {
        Measurement taken = measurement(us);
        taken.stage = stage;
        taken.data = data;
        taken.status = status;
        return record(sweep, 100, taken);
    };
    const std::int64_t slow = add(Stage::screen, "uniform", 2.25);
    const std::int64_t failed = add(Stage::screen, "uniform", 0.5, Status::wrong);
    const std::int64_t fast = add(Stage::screen, "uniform", 2);
    const std::int64_t finalist = add(Stage::final, "uniform", 2.5);
    const std::int64_t on_outliers = add(Stage::final, "outlier", 1);
    using testing::ElementsAre;
    EXPECT_THAT(ids({}), ElementsAre(slow, failed, fast, finalist, on_outliers));
    EXPECT_THAT(ids({.stage = Stage::final}), ElementsAre(finalist, on_outliers));
    EXPECT_THAT(ids({.data = "uniform"}), ElementsAre(slow, failed, fast, finalist));
    EXPECT_THAT(ids({.data = "uniform", .stage = Stage::final}), ElementsAre(finalist));
    EXPECT_THAT(ids({.has_failed = true}), ElementsAre(failed));
    EXPECT_THAT(ids({.within = 2}), ElementsAre(fast, on_outliers)) << "2 is within twice 1, 2.25 is not";
    EXPECT_THAT(ids({.data = "uniform", .within = 1.2}), ElementsAre(slow, fast)) << "the failure has no time";
    EXPECT_THAT(ids({.stage = Stage::survivor, .within = 2}), ElementsAre());
}

TEST_F(StoreReadTest, SelectsTheMeasurementsOfAFamily) {
    const std::int64_t sweep = store_.begin_sweep(h200(), problem_, toolchain(), "gpu", "");
    Candidate other = candidate();
    other.configuration.family = "other";
    record(sweep, 100, measurement(1));
    const std::int64_t wanted =
        store_.record(sweep, other, "hash", 100, Regime::cold, make_plan(other.rule, 100), measurement(3));
    record(sweep, 100, measurement(2));
    using testing::ElementsAre;
    EXPECT_THAT(ids({.family = "other"}), ElementsAre(wanted));
    EXPECT_THAT(ids({.family = "other", .within = 1.5}), ElementsAre(wanted)) << "1 us is of another family";
    EXPECT_THAT(ids({.family = ""}), ElementsAre()) << "no family has this name";
}

TEST_F(StoreReadTest, RecordedSizesAreSortedWithoutRepeats) {
    const std::int64_t sweep = store_.begin_sweep(h200(), problem_, toolchain(), "gpu", "");
    for (const std::uint64_t n : {beyond_32_bits, std::uint64_t{7}, std::uint64_t{0}, std::uint64_t{7}}) {
        record(sweep, n, measurement(1));
    }
    record(sweep, 9, measurement(1), Regime::warm);
    EXPECT_THAT(store_.recorded_sizes(h200(), problem_, Regime::cold), testing::ElementsAre(0, 7, beyond_32_bits));
    EXPECT_THAT(store_.recorded_sizes(h200(), problem_, Regime::warm), testing::ElementsAre(9));
}

TEST_F(StoreReadTest, ProblemsOfADeviceAreSortedByTheirLatestSweep) {
    Problem rows = make_problem("dot", Type::f16);
    rows.row_length = 32;
    store_.begin_sweep(h200(), problem_, toolchain(), "gpu", "");
    store_.begin_sweep(h200(), rows, toolchain(), "gpu", "");
    EXPECT_EQ(store_.problems(h200()), (std::vector<Problem>{rows, problem_}));
    store_.begin_sweep(h200(), problem_, toolchain(), "gpu", "");
    EXPECT_EQ(store_.problems(h200()), (std::vector<Problem>{problem_, rows}));
    DeviceInfo other = h200();
    other.sm_count = 16;
    EXPECT_TRUE(store_.problems(other).empty());
}

TEST_F(StoreReadTest, WinnersHaveTheirDeviceAndProblem) {
    Problem strict = problem_;
    strict.determinism = Determinism::run_to_run;
    add_winner(store_, h200(), problem_, 1 << 20, Regime::cold, candidate(4, false), 10);
    add_winner(store_, h200(), strict, 1 << 20, Regime::cold, candidate(8), 11);
    const auto winners = store_.winners();
    ASSERT_EQ(winners.size(), 2U);
    EXPECT_EQ(winners[0].problem, problem_);
    EXPECT_EQ(winners[1].problem, strict);
    EXPECT_EQ(winners[1].measurement.configuration, candidate(8).configuration);
    EXPECT_EQ(winners[0].device.name, h200().name);
    EXPECT_EQ(winners[0].device.memory_bytes, h200().memory_bytes);
    EXPECT_EQ(winners[0].device.max_shared_bytes_per_block, h200().max_shared_bytes_per_block);
    EXPECT_EQ(winners[0].source, "gpu");
    EXPECT_EQ(winners[0].runner_up_ratio, std::nullopt);
    EXPECT_FALSE(store_.winner(h200(), problem_, 1 << 21, Regime::cold, Determinism::any));
    EXPECT_FALSE(store_.winner(h200(), problem_, 1 << 20, Regime::warm, Determinism::any));
}

TEST_F(StoreReadTest, WinnersViewShowsBandwidthAndShareOfPeak) {
    add_winner(store_, h200(), problem_, 1'000'000, Regime::cold, candidate(), 2);
    add_winner(store_, h200(), problem_, 1'000'000, Regime::warm, candidate(), 1);
    add_winner(store_, h200(), problem_, 1'000'000, Regime::back_to_back, candidate(), 2);
    const Connection& connection = store_.connection();
    EXPECT_EQ(connection.text("SELECT format('%d %.1f %.4f', bytes, gb_per_s, share_of_peak) FROM winners "
                              "WHERE regime = 'cold'"),
              "4000000 2000.0 0.4155");
    EXPECT_EQ(connection.text("SELECT measured_at FROM winners"), "2026-11-20T13:47:05Z");
    // A warm input is in the L2 cache, so the peak bandwidth of device memory is no limit.
    EXPECT_EQ(connection.value("SELECT share_of_peak IS NULL FROM winners WHERE regime = 'warm'"), 1);
    EXPECT_EQ(connection.value("SELECT share_of_peak IS NULL FROM winners WHERE regime = 'back_to_back'"), 0);
}

TEST_F(StoreReadTest, AnInvalidShapeIsADatabaseError) {
    add_winner(store_, h200(), problem_, 1 << 20, Regime::cold, candidate(), 10);
    Connection::open(folder_ / "a.db", OpenMode::create).execute("UPDATE problem SET shape = 'round'");
    EXPECT_THAT([&] { store_.winners(); }, testing::ThrowsMessage<DatabaseError>(testing::HasSubstr("round")));
}

TEST_F(StoreReadTest, InvalidRowsAreADatabaseError) {
    add_winner(store_, h200(), problem_, 1 << 20, Regime::cold, candidate(), 10);
    Connection::open(folder_ / "a.db", OpenMode::create).execute("UPDATE problem SET input_type = 'f128'");
    EXPECT_THAT([&] { store_.winners(); }, testing::ThrowsMessage<DatabaseError>(testing::HasSubstr("f128")));
}

}  // namespace
}  // namespace redtune::db
