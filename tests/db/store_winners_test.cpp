#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "redtune/error.h"
#include "tests/support/store_write_fixture.h"

namespace redtune::db {
namespace {

class StoreWinnersTest : public StoreWriteTest {};

TEST_F(StoreWinnersTest, ALaterWinnerReplacesTheEarlierOne) {
    const std::int64_t sweep = begin_sweep();
    const std::int64_t slow = record(sweep, candidate(4), measurement(20));
    const std::int64_t fast = record(sweep, candidate(8), measurement(10));
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, slow, "median", std::nullopt);
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, fast, "paired rounds", 1.25, std::nullopt,
                      uniform_only, "quick");
    const auto winner = store_.winner(h200(), problem_, mi16, Regime::cold, Determinism::any);
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->measurement.id, fast);
    EXPECT_EQ(winner->decided_by, "paired rounds");
    EXPECT_EQ(winner->effort, "quick");
    EXPECT_EQ(winner->runner_up_ratio, 1.25);
    EXPECT_EQ(count("winner"), 1);
}

TEST_F(StoreWinnersTest, RejectsWinnersThatCannotHaveWon) {
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

TEST_F(StoreWinnersTest, EachUnitKeepsItsOwnWinner) {
    DeviceInfo other = h200();
    other.uuid = "GPU-2";
    const std::int64_t first = begin_sweep();
    const std::int64_t second = store_.begin_sweep(other, problem_, toolchain(), "gpu", "");
    const std::int64_t slow = record(first, candidate(1), measurement(3));
    const std::int64_t fast = record(second, candidate(2), measurement(2));
    store_.set_winner(first, mi16, Regime::cold, Determinism::any, slow, "time", std::nullopt);
    store_.set_winner(second, mi16, Regime::cold, Determinism::any, fast, "time", std::nullopt);
    const auto id = [&](const DeviceInfo& device) {
        return store_.unit_winner(device, problem_, mi16, Regime::cold, Determinism::any).value().measurement.id;
    };
    EXPECT_EQ(id(h200()), slow);
    EXPECT_EQ(id(other), fast);
    EXPECT_EQ(count("winner"), 1);
    DeviceInfo unknown = h200();
    unknown.uuid = "";
    EXPECT_FALSE(store_.unit_winner(unknown, problem_, mi16, Regime::cold, Determinism::any));
}

TEST_F(StoreWinnersTest, AWinnerKeepsTheSizesItIsACandidateFor) {
    const std::int64_t sweep = begin_sweep();
    const std::int64_t id = record(sweep, candidate(), measurement(2));
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, id, "time", std::nullopt, SizeRange{100, 5000});
    EXPECT_EQ(store_.winners()[0].candidate_for, (SizeRange{100, 5000}));
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, id, "time", std::nullopt);
    EXPECT_EQ(store_.winners()[0].candidate_for, std::nullopt);
}

TEST_F(StoreWinnersTest, AWinnerHasTheTimesOfItsConfigurationAsAFinalist) {
    const std::int64_t sweep = begin_sweep();
    Measurement final = measurement(2);
    final.stage = Stage::final;
    const std::int64_t id = record(sweep, candidate(), final);
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, id, "time", std::nullopt);
    Measurement later = measurement(3);
    later.stage = Stage::final;
    record(sweep, candidate(), later, mi16 * 2);
    Measurement screening = measurement(4);
    screening.stage = Stage::screen;
    record(sweep, candidate(), screening, mi16 / 2);
    record(sweep, candidate(), later, mi16 * 16);  // more than 4 times the size of the winner
    Candidate other_rule = candidate();
    other_rule.rule.combine_block = 512;
    record(sweep, other_rule, later, mi16 * 3);
    record(sweep, candidate(8), later, mi16 * 3 + 1);
    std::vector<std::pair<std::uint64_t, double>> times;
    const auto winners = store_.winners();
    for (const TimeAtSize& time : winners[0].finalist_times) times.emplace_back(time.n, time.us);
    EXPECT_THAT(times, testing::UnorderedElementsAre(testing::Pair(mi16, final.median_us),
                                                     testing::Pair(mi16 * 2, later.median_us),
                                                     testing::Pair(mi16 * 3, later.median_us)));
}

TEST_F(StoreWinnersTest, RegretIsThePickedTimeOverTheBest) {
    const DeviceInfo device = h200();
    EXPECT_FALSE(store_.regret(device.name, problem_, Regime::cold));
    const std::int64_t sweep = begin_sweep();
    const std::int64_t best = record(sweep, candidate(), measurement(2));
    const std::int64_t picked = record(sweep, candidate(), measurement(3));
    const std::int64_t elsewhere = record(sweep, candidate(), measurement(3), mi16 + 1);
    store_.add_size_check(sweep, {picked, best, 2.5});
    store_.add_size_check(sweep, {elsewhere, elsewhere, 3});
    EXPECT_EQ(store_.checked_sizes(device, problem_, Regime::cold), (std::vector<std::uint64_t>{mi16, mi16 + 1}));
    const auto regret = store_.regret(device.name, problem_, Regime::cold);
    ASSERT_TRUE(regret);
    EXPECT_EQ(regret->sizes, 2U);
    EXPECT_NEAR(regret->largest, 0.5, 1e-9);
    EXPECT_THROW(store_.add_size_check(sweep, {picked, elsewhere, 1}), DatabaseError);
    EXPECT_FALSE(store_.regret(device.name, problem_, Regime::warm));
}

TEST_F(StoreWinnersTest, FinalistsOfAUnitHaveTheirLatestTimeOnEachDataOfItsWinner) {
    const std::int64_t sweep = begin_sweep();
    const auto time = [&](std::int64_t unroll, double us, const std::string& data) {
        Measurement made = measurement(us);
        made.data = data;
        return record(sweep, candidate(unroll), made);
    };
    time(1, 20, "uniform");
    const std::int64_t first = time(1, 10, "uniform");
    const std::int64_t second = time(2, 11, "uniform");
    time(3, 5, "uniform");  // not timed on the other data
    time(1, 15, "outlier");
    time(2, 12, "outlier");
    time(2, 1, "sparse");  // the winner was not compared on it
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, second, "time", std::nullopt, std::nullopt,
                      {{"uniform", 1.1}, {"outlier", 1}});
    const auto units = store_.finalists_of_units(*store_.winner_key(second, Determinism::any));
    ASSERT_EQ(units.size(), 1U);
    ASSERT_EQ(units[0].finalists.size(), 2U);
    EXPECT_EQ(units[0].finalists[0].measurement, first);
    EXPECT_EQ(units[0].finalists[0].ratios, (std::vector<DataRatio>{{"uniform", 1}, {"outlier", 1.25}}));
    EXPECT_EQ(units[0].finalists[1].measurement, second);
    EXPECT_EQ(units[0].finalists[1].ratios, (std::vector<DataRatio>{{"uniform", 1.1}, {"outlier", 1}}));
}

}  // namespace
}  // namespace redtune::db
