#include "db/measurement_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "tests/support/random_databases.h"
#include "tests/support/store_write_fixture.h"

namespace redtune::db {
namespace {

class MeasurementCountsTest : public StoreWriteTest {
  protected:
    /// Changes the file with SQL, as another program may do.
    void execute(const std::string& sql) { Connection::open(file_, OpenMode::create).execute(sql); }
    std::string counts() const {
        return store_.connection().text(
            "SELECT group_concat(format('%d: %d, %d', n, measurements, failures), '; ') FROM measurement_count");
    }
};

TEST_F(MeasurementCountsTest, CountTheMeasurementsOfASize) {
    const std::int64_t sweep = begin_sweep();
    record(sweep, candidate(1), measurement(1));
    Measurement failure;
    failure.status = Status::wrong;
    record(sweep, candidate(2), failure);
    record(sweep, candidate(1), measurement(1), 1024);
    EXPECT_EQ(counts(), "1024: 1, 0; 16777216: 2, 1");
    execute("DELETE FROM measurement WHERE n = 1024");
    EXPECT_EQ(counts(), "16777216: 2, 1");
    expect_sound();
}

TEST_F(MeasurementCountsTest, LatestTimeIsThatOfTheMeasurementsThatAreLeft) {
    const std::int64_t sweep = begin_sweep();
    for (const int unroll : {1, 2, 4}) record(sweep, candidate(unroll), measurement(1));
    execute("UPDATE measurement SET measured_at = 100 * id");
    execute("DELETE FROM measurement WHERE id = 3");
    EXPECT_EQ(store_.connection().value("SELECT last_measured_at FROM measurement_count"), 200);
    execute("DELETE FROM measurement WHERE id = 1");
    EXPECT_EQ(store_.connection().value("SELECT last_measured_at FROM measurement_count"), 200);
    expect_sound();
}

TEST_F(MeasurementCountsTest, AreRepaired) {
    const std::int64_t sweep = begin_sweep();
    for (const std::uint64_t n : {1024, 2048, 4096}) record(sweep, candidate(1), measurement(1), n);
    EXPECT_EQ(store_.repair_measurement_counts(), 0);
    execute(
        "DELETE FROM measurement_count WHERE n = 1024; UPDATE measurement_count SET failures = 7 WHERE n = 2048;"
        "INSERT INTO measurement_count VALUES (1, 0, 77, 1, 0, 1)");
    EXPECT_EQ(store_.repair_measurement_counts(), 3);
    EXPECT_EQ(counts(), "1024: 1, 0; 2048: 1, 0; 4096: 1, 0");
    expect_sound();
}

TEST_F(MeasurementCountsTest, FindingsNameWhatIsWrong) {
    record(begin_sweep(), candidate(1), measurement(1), 1024);
    execute("UPDATE measurement_count SET measurements = 2");
    for (const Finding& finding : check(store_)) {
        EXPECT_EQ(finding.sound, finding.check != "measurement_counts") << finding.check;
        if (!finding.sound) {
            EXPECT_EQ(finding.detail, "sweep 1, regime 0, n = 1024");
        }
    }
}

// The triggers of the schema see every change, also those of other programs.
RC_GTEST_FIXTURE_PROP(MeasurementCountsTest, EqualAFullCountAfterAnyChanges, ()) {
    const std::vector<SweepSpec> sweeps = any_sweeps();
    const std::filesystem::path file = folder_ / "random.db";
    std::filesystem::remove(file);
    write_database(file, sweeps, any_copies(sweeps));
    Connection connection = Connection::open(file, OpenMode::create);
    constexpr std::array changes = {
        "DELETE FROM measurement WHERE id % 5 = {}",
        "UPDATE measurement SET n = n * 2 WHERE id % 5 = {}",
        "UPDATE measurement SET status_id = 1, reason = 'wrong' WHERE id % 5 = {}",
        "UPDATE measurement SET measured_at = measured_at + id WHERE id % 5 = {}",
        "UPDATE measurement SET sweep_id = (SELECT max(id) FROM sweep), regime_id = 1 WHERE id % 5 = {}",
        "UPDATE measurement SET samples = '[1]' WHERE id % 5 = {}",
        "INSERT INTO measurement SELECT id + 1000000 + random() % 100000, sweep_id, configuration_id, n, regime_id, "
        "stage_id, "
        "status_id, reason, samples, median_us, interquartile_us, rejected, calls_per_sample, floor_us, sm_mhz, "
        "memory_mhz, temperature_c, power_w, throttle_reasons, registers, shared_bytes, spill_bytes, grid, block, "
        "measured_at, data_id FROM measurement WHERE id % 5 = {} LIMIT 1"};
    connection.execute("PRAGMA foreign_keys = OFF");
    for (const int change : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 35))) {
        connection.execute(fmt::format(fmt::runtime(changes.at(static_cast<std::size_t>(change) % 7)), change / 7));
    }
    RC_ASSERT(connection.text(wrong_measurement_counts()).empty());
}

}  // namespace
}  // namespace redtune::db
