#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "tests/support/store_write_fixture.h"

namespace redtune::db {
namespace {

class StoreRepairTest : public StoreWriteTest {};

TEST_F(StoreRepairTest, RepairPrefersTheGpuThenTheLatestStage) {
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

TEST_F(StoreRepairTest, RepairKeepsSoundWinnersAndRemovesThoseWithoutReplacement) {
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

TEST_F(StoreRepairTest, RepairAlsoReplacesTheWinnersOfUnits) {
    const std::int64_t sweep = begin_sweep();
    const std::int64_t bad = record(sweep, candidate(1), measurement(1));
    const std::int64_t good = record(sweep, candidate(2), measurement(2));
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, bad, "time", 2);
    Connection::open(file_, OpenMode::create)
        .execute(fmt::format("UPDATE measurement SET status_id = 1 WHERE id = {}", bad));
    EXPECT_EQ(store_.repair_winners().replaced, 1);
    const auto winner = store_.unit_winner(h200(), problem_, mi16, Regime::cold, Determinism::any);
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->measurement.id, good);
    expect_sound();
}

TEST_F(StoreRepairTest, AnUnsoundWinnerOfAUnitIsFoundAndRemoved) {
    const std::int64_t sweep = begin_sweep();
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, record(sweep, candidate(1), measurement(1)), "time",
                      2);
    Connection::open(file_, OpenMode::create).execute("UPDATE unit_winner SET n = 7");
    const auto is_sound = [&] {
        const std::vector<Finding> findings = check(store_);
        return std::all_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.sound; });
    };
    EXPECT_FALSE(is_sound());
    store_.repair_winners();
    EXPECT_TRUE(is_sound());
    EXPECT_EQ(count("winner"), 1) << "the winner itself is sound";
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

RC_GTEST_FIXTURE_PROP(StoreRepairTest, RepairedWinnersAreTheBestOfTheLatestStage, ()) {
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
