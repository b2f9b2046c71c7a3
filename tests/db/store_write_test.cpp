#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <random>
#include <tuple>

#include "db/connection.h"
#include "db/inspection.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

constexpr std::uint64_t mi16 = 16 << 20;

class StoreWriteTest : public testing::Test {
  protected:
    /// Begins a sweep and returns its id.
    std::int64_t begin_sweep(const std::string& source = "gpu") {
        return store_.begin_sweep(h200(), problem_, toolchain(), source, "redtune tune --op sum");
    }
    std::int64_t record(std::int64_t sweep, const Candidate& candidate, const Measurement& measurement,
                        std::uint64_t n = mi16, Regime regime = Regime::cold) {
        return store_.record(sweep, candidate, "hash", n, regime, make_plan(candidate.rule, n), measurement);
    }
    /// Sets a winner that refers to a measurement of another size.
    void set_wrong_winner(std::uint64_t n, Regime regime, Determinism determinism) {
        const std::int64_t elsewhere = record(begin_sweep(), candidate(), measurement(1), std::uint64_t{1} << 50);
        Connection::open(file_, OpenMode::create)
            .execute(fmt::format(
                "INSERT INTO winner (device_id, problem_id, regime_id, n, determinism, measurement_id, decided_by, "
                "runner_up_ratio) SELECT device_id, problem_id, (SELECT id FROM regime WHERE name = '{}'),"
                " {}, '{}', {}, 'wrong', NULL FROM sweep ORDER BY id DESC LIMIT 1",
                to_string(regime), n, to_string(determinism), elsewhere));
    }
    std::int64_t count(const std::string& table) { return store_.connection().value("SELECT count(*) FROM " + table); }
    /// Expects that all checks of the database succeed.
    void expect_sound() {
        for (const Finding& finding : check(store_)) EXPECT_TRUE(finding.sound) << finding.check << finding.detail;
    }

    TemporaryFolder folder_;
    std::filesystem::path file_ = folder_ / "a.db";
    Store store_ = Store::open(file_, Access::read_write);
    Problem problem_;
};

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
    const auto found = store_.measurements(h200(), problem_, mi16, Regime::cold, std::nullopt);
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

TEST_F(StoreWriteTest, ALaterWinnerReplacesTheEarlierOne) {
    const std::int64_t sweep = begin_sweep();
    const std::int64_t slow = record(sweep, candidate(4), measurement(20));
    const std::int64_t fast = record(sweep, candidate(8), measurement(10));
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, slow, "median", std::nullopt);
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, fast, "paired rounds", 1.25);
    const auto winner = store_.winner(h200(), problem_, mi16, Regime::cold, Determinism::any);
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->measurement.id, fast);
    EXPECT_EQ(winner->decided_by, "paired rounds");
    EXPECT_EQ(winner->runner_up_ratio, 1.25);
    EXPECT_EQ(count("winner"), 1);
}

TEST_F(StoreWriteTest, RejectsWinnersThatCannotHaveWon) {
    const std::int64_t sweep = begin_sweep();
    DeviceInfo other = h200();
    other.name = "NVIDIA L4";
    const std::int64_t elsewhere = store_.begin_sweep(other, problem_, toolchain(), "gpu", "");
    Measurement wrong = measurement(10);
    wrong.status = Status::wrong;
    const std::int64_t good = record(sweep, candidate(4, false), measurement(20));
    const auto refuse = [&](std::int64_t of_sweep, std::uint64_t n, Regime regime, Determinism determinism,
                            std::int64_t id) {
        EXPECT_THROW(store_.set_winner(of_sweep, n, regime, determinism, id, "", std::nullopt), DatabaseError);
    };
    refuse(sweep, mi16, Regime::cold, Determinism::any, record(sweep, candidate(4), wrong));
    refuse(sweep, mi16, Regime::cold, Determinism::any, good + 1000);
    refuse(sweep, mi16 + 1, Regime::cold, Determinism::any, good);
    refuse(sweep, mi16, Regime::warm, Determinism::any, good);
    refuse(sweep, mi16, Regime::cold, Determinism::run_to_run, good);
    refuse(elsewhere, mi16, Regime::cold, Determinism::any, good);
    EXPECT_EQ(count("winner"), 0);
    // The winner of a later sweep may be a measurement of an earlier sweep.
    store_.set_winner(begin_sweep(), mi16, Regime::cold, Determinism::any, good, "confirmed", std::nullopt);
    EXPECT_EQ(count("winner"), 1);
}

TEST_F(StoreWriteTest, RepairPrefersTheGpuThenTheLatestStage) {
    const std::int64_t replay = begin_sweep("replay:h200");
    const std::int64_t gpu = begin_sweep();
    record(replay, candidate(1), measurement(1, Stage::final));
    record(gpu, candidate(2), measurement(2, Stage::screen));
    const std::int64_t best = record(gpu, candidate(4), measurement(10, Stage::final));
    record(gpu, candidate(8), measurement(12, Stage::final));
    record(gpu, candidate(4),
           measurement(11, Stage::final));  // a second measurement of the same configuration is not a runner-up
    Measurement implausible = measurement(0.5, Stage::final);
    implausible.status = Status::implausible;
    record(gpu, candidate(16), implausible);
    set_wrong_winner(mi16, Regime::cold, Determinism::any);
    const RepairedWinners repaired = store_.repair_winners();
    EXPECT_EQ(repaired.removed, 1);
    EXPECT_EQ(repaired.replaced, 1);
    const auto winner = store_.winner(h200(), problem_, mi16, Regime::cold, Determinism::any);
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->measurement.id, best);
    EXPECT_DOUBLE_EQ(winner->runner_up_ratio.value(), 1.2);
    EXPECT_THAT(winner->decided_by, testing::HasSubstr("final"));
    expect_sound();
}

TEST_F(StoreWriteTest, RepairKeepsSoundWinnersAndRemovesThoseWithoutReplacement) {
    const std::int64_t sweep = begin_sweep();
    const std::int64_t slower = record(sweep, candidate(1), measurement(3));
    record(sweep, candidate(2), measurement(2));
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, slower, "simplicity", 0.9);
    set_wrong_winner(77, Regime::cold, Determinism::any);
    const RepairedWinners repaired = store_.repair_winners();
    EXPECT_EQ(repaired.removed, 1);
    EXPECT_EQ(repaired.replaced, 0);
    ASSERT_EQ(store_.winners().size(), 1U);
    EXPECT_EQ(store_.winners()[0].measurement.id, slower);
    EXPECT_EQ(store_.winners()[0].decided_by, "simplicity");
    expect_sound();
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
    RC_ASSERT(store_.measurements(h200(), first, n, Regime::cold, std::nullopt).size() == 1U);
    // The determinism that a problem requests does not select measurements.
    Problem alike = second;
    alike.determinism = first.determinism;
    const bool is_same = alike == first;
    RC_ASSERT(store_.measurements(h200(), second, n, Regime::cold, std::nullopt).size() == (is_same ? 1U : 0U));
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

/// The properties of one measurement that RapidCheck generates.
struct Entry {
    std::uint64_t n;
    bool warm;
    bool deterministic;
    bool ok;
    int stage;
    int unroll;
    int time_us;
};

RC_GTEST_FIXTURE_PROP(StoreWriteTest, RepairedWinnersAreTheBestOfTheLatestStage, ()) {
    const auto entries = *rc::gen::container<std::vector<Entry>>(rc::gen::construct<Entry>(
        rc::gen::inRange<std::uint64_t>(1, 4), rc::gen::arbitrary<bool>(), rc::gen::arbitrary<bool>(),
        rc::gen::arbitrary<bool>(), rc::gen::inRange(0, 3), rc::gen::inRange(1, 4), rc::gen::inRange(1, 6)));
    const std::int64_t sweep = begin_sweep();
    using Key = std::tuple<std::uint64_t, bool, Determinism>;
    std::map<Key, std::tuple<int, int, std::int64_t>> expected;  // (-stage, time, id); the smallest tuple wins
    for (const Entry& entry : entries) {
        Measurement made = measurement(entry.time_us, static_cast<Stage>(entry.stage));
        made.status = entry.ok ? Status::ok : Status::wrong;
        const std::int64_t id = record(sweep, candidate(entry.unroll, entry.deterministic), made, entry.n,
                                       entry.warm ? Regime::warm : Regime::cold);
        if (!entry.ok) continue;
        for (const Determinism determinism : {Determinism::any, Determinism::run_to_run}) {
            if (determinism == Determinism::run_to_run && !entry.deterministic) continue;
            const auto standing = std::make_tuple(-entry.stage, entry.time_us, id);
            const auto [at, added] = expected.try_emplace({entry.n, entry.warm, determinism}, standing);
            if (!added) at->second = std::min(at->second, standing);
        }
    }
    for (const auto& [key, standing] : expected) {
        set_wrong_winner(std::get<0>(key), std::get<1>(key) ? Regime::warm : Regime::cold, std::get<2>(key));
    }
    const RepairedWinners repaired = store_.repair_winners();
    RC_ASSERT(repaired.replaced == static_cast<std::int64_t>(expected.size()));
    RC_ASSERT(repaired.removed == repaired.replaced);
    const auto winners = store_.winners();
    RC_ASSERT(winners.size() == expected.size());
    for (const StoredWinner& winner : winners) {
        const Key key{winner.n, winner.regime == Regime::warm, winner.problem.determinism};
        RC_ASSERT(expected.contains(key));
        RC_ASSERT(winner.measurement.id == std::get<2>(expected.at(key)));
        RC_ASSERT(winner.runner_up_ratio.value_or(1) >= 1);
    }
    RC_ASSERT(store_.repair_winners().removed == 0);
    RC_ASSERT(store_.winners().size() == expected.size());
}

}  // namespace
}  // namespace redtune::db
