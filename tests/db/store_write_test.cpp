#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <random>

#include "db/connection.h"
#include "redtune/error.h"
#include "tests/support/store_write_fixture.h"

namespace redtune::db {
namespace {

TEST_F(StoreWriteTest, StoresEqualRowsOnce) {
    for (int i = 0; i < 2; ++i) {
        const std::int64_t sweep = begin_sweep();
        record(sweep, candidate(4), measurement(20));
        record(sweep, candidate(4), measurement(21));
        record(sweep, candidate(8), measurement(22));
        // A second store does not have the ids that the first store has cached.
        Store::open(file_, Access::read_write)
            .record(sweep, candidate(4), "hash", mi16, Regime::cold, make_plan(candidate(4).rule, mi16),
                    measurement(23));
    }
    EXPECT_EQ(count("device"), 1);
    EXPECT_EQ(count("device_unit"), 1);
    EXPECT_EQ(count("toolchain"), 1);
    EXPECT_EQ(count("problem"), 1);
    EXPECT_EQ(count("family"), 1);
    EXPECT_EQ(count("configuration"), 2);
    EXPECT_EQ(count("sweep"), 2);
    EXPECT_EQ(count("measurement"), 8);
    expect_sound();
}

TEST_F(StoreWriteTest, DistinguishesDevicesByTheirHardware) {
    DeviceInfo other_unit = h200();
    other_unit.uuid = "GPU-another";
    other_unit.memory_bytes -= 1 << 20;  // as if another driver reserved more memory
    DeviceInfo slice = h200();
    slice.mig_profile = "1g.18gb";
    for (const DeviceInfo& device : {h200(), other_unit, slice}) {
        store_.begin_sweep(device, problem_, toolchain(), "gpu", "");
    }
    EXPECT_EQ(count("device"), 2);
    EXPECT_EQ(count("device_unit"), 3);
}

TEST_F(StoreWriteTest, KeepsAKnownPeakIfALaterSweepHasNone) {
    begin_sweep();
    DeviceInfo unknown = h200();
    unknown.peak_gb_per_s = 0;
    store_.begin_sweep(unknown, problem_, toolchain(), "replay:h200", "");
    EXPECT_EQ(store_.devices().at(0).peak_gb_per_s, h200().peak_gb_per_s);
}

TEST_F(StoreWriteTest, ANewCodeHashIsANewFamily) {
    const std::int64_t sweep = begin_sweep();
    const LaunchPlan plan = make_plan(candidate().rule, mi16);
    store_.record(sweep, candidate(), "one", mi16, Regime::cold, plan, measurement(20));
    store_.record(sweep, candidate(), "two", mi16, Regime::cold, plan, measurement(20));
    EXPECT_EQ(count("family"), 2);
    EXPECT_EQ(count("configuration"), 2);
}

TEST_F(StoreWriteTest, FinishesASweep) {
    const std::int64_t sweep = begin_sweep();
    EXPECT_EQ(store_.connection().text("SELECT status FROM sweep"), "running");
    store_.finish_sweep(sweep, "interrupted");
    EXPECT_EQ(store_.connection().text("SELECT status FROM sweep"), "interrupted");
    EXPECT_GT(store_.connection().value("SELECT finished_at FROM sweep"), 1'700'000'000);
    EXPECT_THROW(store_.finish_sweep(sweep, "perhaps"), DatabaseError);
    EXPECT_THROW(store_.finish_sweep(sweep + 1, "finished"), DatabaseError);
}

TEST_F(StoreWriteTest, RejectsASourceThatIsNeitherGpuNorReplay) {
    EXPECT_THROW(begin_sweep("guess"), DatabaseError);
    EXPECT_THROW(begin_sweep("replay:"), DatabaseError);
    EXPECT_NO_THROW(begin_sweep("replay:h200"));
}

TEST_F(StoreWriteTest, RejectsAMeasurementWithoutASweepOrATime) {
    EXPECT_THROW(record(12345, candidate(), measurement(20)), DatabaseError);
    EXPECT_THROW(record(begin_sweep(), candidate(), Measurement{}), DatabaseError);
    EXPECT_EQ(count("measurement"), 0);
}

TEST_F(StoreWriteTest, AKilledProcessLosesNoRecordedMeasurement) {
    constexpr int recorded = 200;
    const int writer = start_process([&] {
        Store store = Store::open(file_, Access::read_write);
        const std::int64_t sweep = store.begin_sweep(h200(), problem_, toolchain(), "gpu", "");
        for (int i = 1; i <= recorded; ++i) {
            store.record(sweep, candidate(i), "hash", mi16, Regime::cold, make_plan(candidate(i).rule, mi16),
                         measurement(i));
        }
        _exit(0);  // exits without closing the store
    });
    ASSERT_TRUE(succeeded(writer));
    const auto found = store_.measurements(h200(), problem_, mi16, Regime::cold);
    ASSERT_EQ(found.size(), static_cast<std::size_t>(recorded));
    for (int i = 1; i <= recorded; ++i) {
        EXPECT_EQ(found[static_cast<std::size_t>(i - 1)].measurement.median_us, i);
    }
    expect_sound();
}

TEST_F(StoreWriteTest, TwoProcessesCanWriteAtOnce) {
    constexpr int each = 150;
    std::vector<int> writers;
    for (int writer = 0; writer < 2; ++writer) {
        writers.push_back(start_process([&] {
            Store store = Store::open(file_, Access::read_write);
            const std::int64_t sweep = store.begin_sweep(h200(), problem_, toolchain(), "gpu", "");
            for (int i = 1; i <= each; ++i) {
                const std::int64_t id = store.record(sweep, candidate(i), "hash", mi16, Regime::cold,
                                                     make_plan(candidate(i).rule, mi16), measurement(i));
                store.set_winner(sweep, mi16, Regime::cold, Determinism::any, id, "median", 1.01);
            }
            store.finish_sweep(sweep, "finished");
        }));
    }
    for (const int writer : writers) EXPECT_TRUE(succeeded(writer));
    EXPECT_EQ(count("measurement"), 2 * each);
    EXPECT_EQ(count("configuration"), each);
    EXPECT_EQ(count("winner"), 1);
    expect_sound();
}

TEST_F(StoreWriteTest, FortyThousandMeasurementsTakeLittleSpace) {
    const std::int64_t sweep = begin_sweep();
    // All rows are written in one transaction for speed; this test checks only the size of the file.
    const_cast<Connection&>(store_.connection()).execute("PRAGMA synchronous = OFF");
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> jitter(0.97, 1.03);
    for (int i = 0; i < 40'000; ++i) {
        Measurement noisy = measurement(0.001 * (2000 + i % 5000) * jitter(random), Stage::screen);
        for (double& sample : noisy.samples_us) sample *= jitter(random);
        record(sweep, candidate(1 + i % 500), noisy, std::uint64_t{1} << (10 + i / 2000));
    }
    const std::int64_t bytes =
        store_.connection().value("PRAGMA page_count") * store_.connection().value("PRAGMA page_size");
    EXPECT_EQ(count("measurement"), 40'000);
    EXPECT_LT(bytes, 7 * (1 << 20)) << "bytes per measurement: " << bytes / 40'000;
    expect_sound();
}

TEST_F(StoreWriteTest, ATransactionIsUndoneIfItsWorkFails) {
    const std::int64_t sweep = begin_sweep();
    const std::int64_t id = record(sweep, candidate(1), measurement(3));
    EXPECT_THROW(store_.in_transaction([&] {
        store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, id, "time", std::nullopt);
        throw DatabaseError("interrupted");
    }),
                 DatabaseError);
    EXPECT_EQ(count("winner") + count("unit_winner"), 0);
}

Problem any_problem() {
    const std::string op = *rc::gen::elementOf(operator_names());
    const std::vector<std::string> inputs = op.starts_with("bit")
                                                ? std::vector<std::string>{"u8", "i64"}
                                                : std::vector<std::string>{"i8", "f16", "bf16", "f64"};
    const Type input = parse_type(*rc::gen::elementOf(inputs));
    const ResultTypes types = *rc::gen::elementOf(result_types(op, input));
    Problem problem = make_problem(op, input, types.accumulator, types.output);
    problem.row_length = *rc::gen::element<std::uint64_t>(0, 2, 32, 1000, std::uint64_t{1} << 33);
    problem.destructive = *rc::gen::arbitrary<bool>();
    problem.determinism = *rc::gen::element(Determinism::any, Determinism::run_to_run);
    return problem;
}

RC_GTEST_FIXTURE_PROP(StoreWriteTest, EveryProblemRoundTripsAndIsSeparate, ()) {
    const Problem first = any_problem();
    const Problem second = any_problem();
    const std::uint64_t n = std::uint64_t{1} << 40;
    add_winner(store_, h200(), first, n, Regime::cold, candidate(), 10);
    RC_ASSERT(store_.winners().size() == 1U);
    RC_ASSERT(store_.winners()[0].problem == first);
    RC_ASSERT(store_.winner(h200(), first, n, Regime::cold, first.determinism).has_value());
    RC_ASSERT(store_.measurements(h200(), first, n, Regime::cold).size() == 1U);
    // The determinism that a problem requests does not select measurements.
    Problem alike = second;
    alike.determinism = first.determinism;
    const bool is_same = alike == first;
    RC_ASSERT(store_.measurements(h200(), second, n, Regime::cold).size() == (is_same ? 1U : 0U));
    RC_ASSERT(store_.recorded_sizes(h200(), second, Regime::cold).size() == (is_same ? 1U : 0U));
    RC_ASSERT(store_.winner(h200(), second, n, Regime::cold, second.determinism).has_value() == (second == first));
}

TEST_F(StoreWriteTest, BytesCountAllArrays) {
    problem_ = make_problem("dot", Type::f16);
    problem_.row_length = 32;
    problem_.destructive = true;
    record(begin_sweep(), candidate(), measurement(1), 3200);
    EXPECT_EQ(store_.connection().value("SELECT input_bytes FROM problem"), 4);
    EXPECT_EQ(store_.connection().text("SELECT format('%s %s %s %s %s %d', op, dtype, shape, accumulator_type, "
                                       "output_type, bytes) FROM measurements"),
              "dot f16 rows:32 destructive f32 f32 12800");
    expect_sound();
}

}  // namespace
}  // namespace redtune::db
