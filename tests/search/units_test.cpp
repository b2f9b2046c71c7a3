#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/connection.h"
#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

constexpr std::uint64_t n = 1 << 20;

/// Sweeps on several GPUs of one device, into one database.
class UnitsTest : public SweepTest {
  protected:
    std::optional<db::StoredWinner> stored_winner() {
        return store_.winner(executor_.device(), make_problem("sum", Type::f32), n, Regime::cold, Determinism::any);
    }
    /// Sets the times of configurations, in us, at every size. All other configurations take 20 us.
    void set_times(std::map<std::string, double> times) {
        executor_.time_us = [times = std::move(times)](const Trial& trial, std::uint64_t, Regime) {
            const auto found = times.find(to_string(trial.configuration));
            return found == times.end() ? 20 : found->second;
        };
    }
    std::int64_t count(const std::string& condition) {
        return store_.connection().value("SELECT count(*) FROM measurements JOIN sweeps USING (sweep_id) WHERE " +
                                         condition);
    }
};

TEST_F(UnitsTest, AnotherUnitMeasuresItsOwnSurvivorsAndFinalists) {
    sweep().run({}, stop_);
    executor_.use_unit("GPU-2");
    Sweep second = sweep();
    EXPECT_FALSE(second.plan().is_done()) << "the winner is another unit's";
    EXPECT_EQ(second.plan().stored, second.plan().candidates) << "screenings of another unit count";
    EXPECT_GT(second.plan().estimate_s, 0);
    second.run({}, stop_);
    EXPECT_EQ(count("uuid = 'GPU-2' AND stage = 'screen'"), 0);
    EXPECT_GT(count("uuid = 'GPU-2' AND stage = 'survivor'"), 0);
    EXPECT_GT(count("uuid = 'GPU-2' AND stage = 'final'"), 0);
    EXPECT_TRUE(sweep().plan().is_done());
    executor_.use_unit("GPU-3");
    EXPECT_FALSE(sweep().plan().is_done());
}

TEST_F(UnitsTest, TheWinnersOfBothUnitsStayUpToDate) {
    const std::string first = executor_.device().uuid;
    sweep().run({}, stop_);
    executor_.use_unit("GPU-2");
    sweep().run({}, stop_);
    executor_.use_unit(first);
    EXPECT_TRUE(sweep().plan().is_done());
}

TEST_F(UnitsTest, OneUnitHasNoSpread) {
    sweep().run({}, stop_);
    EXPECT_EQ(stored_winner()->units, 1U);
    EXPECT_FALSE(stored_winner()->spread);
    sweep(false).run({}, stop_);
    EXPECT_EQ(stored_winner()->units, 1U) << "the same unit again";
}

TEST_F(UnitsTest, TheWinnerIsFastOnBothUnits) {
    const std::string first_best = "fake(block=32, blocks_per_sm=1)";
    const std::string second_best = "fake(block=64, blocks_per_sm=1)";
    const std::string compromise = "fake(block=128, blocks_per_sm=1)";
    set_times({{first_best, 10}, {second_best, 10.19}, {compromise, 10.1}});
    sweep().run({}, stop_);
    EXPECT_EQ(winner(n), first_best);
    executor_.use_unit("GPU-2");
    set_times({{first_best, 10.19}, {second_best, 10}, {compromise, 10.1}});
    sweep().run({}, stop_);
    EXPECT_EQ(winner(n), compromise);
    EXPECT_EQ(stored_winner()->units, 2U);
    EXPECT_NEAR(stored_winner()->spread.value(), 1.01, 1e-9);
    EXPECT_EQ(stored_winner()->measurement.unit, "GPU-2") << "measured last";
    EXPECT_EQ(store_.connection().value("SELECT count(*) FROM unit_times WHERE n = 1048576 AND determinism = 'any'"),
              2);
    const auto own =
        store_.unit_winner(executor_.device(), make_problem("sum", Type::f32), n, Regime::cold, Determinism::any);
    EXPECT_EQ(to_string(own->measurement.configuration), second_best) << "each unit keeps its own";
}

TEST_F(UnitsTest, FinalistsOfOtherUnitsAreFinalists) {
    const std::string first_best = "fake(block=32, blocks_per_sm=1)";
    const std::string second_best = "fake(block=64, blocks_per_sm=1)";
    set_times({{first_best, 10}, {second_best, 10.3}});
    sweep().run({}, stop_);
    executor_.use_unit("GPU-2");
    // On this unit the first unit's winner is no finalist: it is more than 2 % slower than the best.
    set_times({{first_best, 10.4}, {second_best, 10}});
    sweep().run({}, stop_);
    EXPECT_EQ(count("uuid = 'GPU-2' AND stage = 'final' AND n = 1048576"), 2);
    EXPECT_EQ(winner(n), first_best) << "the only configuration that is a finalist of both units";
    EXPECT_NEAR(stored_winner()->spread.value(), 1.04, 1e-9);

    // If the first unit is measured again, the second unit's finalists are timed on it too.
    executor_.use_unit("GPU-00000000-0000-0000-0000-000000000000");
    set_times({{first_best, 10}, {second_best, 10.3}});
    sweep(false).run({}, stop_);
    EXPECT_EQ(winner(n), second_best);
    EXPECT_NEAR(stored_winner()->spread.value(), 1.03, 1e-9);
}

// The database that ships for this purpose has no screenings (scripts/split-recording).
TEST_F(UnitsTest, FinalistsAloneAreEnoughToAddAUnit) {
    const std::string first_best = "fake(block=32, blocks_per_sm=1)";
    const std::string second_best = "fake(block=64, blocks_per_sm=1)";
    set_times({{first_best, 10}, {second_best, 10.15}});
    sweep().run({}, stop_);
    db::Connection::open(folder_ / "test.db", db::OpenMode::create)
        .execute("DELETE FROM measurement WHERE stage_id = 0");
    executor_.use_unit("GPU-2");
    set_times({{first_best, 10.3}, {second_best, 10}});
    sweep().run({}, stop_);
    EXPECT_EQ(winner(n), second_best);
    EXPECT_EQ(stored_winner()->units, 2U);
    EXPECT_NEAR(stored_winner()->spread.value(), 1.015, 1e-9);
    EXPECT_GT(count("uuid = 'GPU-2' AND stage = 'screen'"), 0);
}

TEST_F(UnitsTest, QuickEffortMeasuresOnlyTheFinalistsOfOtherUnits) {
    const std::string first_best = "fake(block=32, blocks_per_sm=1)";
    const std::string second_best = "fake(block=64, blocks_per_sm=1)";
    const auto quick_sweep = [&](bool resume = true) {
        return Sweep(executor_, store_, families_,
                     {make_problem("sum", Type::f32), {n}, {Regime::cold}, resume, "test", {}, Effort::quick});
    };
    set_times({{first_best, 10}, {second_best, 10.15}});
    quick_sweep().run({}, stop_);
    db::Connection::open(folder_ / "test.db", db::OpenMode::create)
        .execute("DELETE FROM measurement WHERE stage_id = 0");
    executor_.use_unit("GPU-2");
    set_times({{first_best, 10.3}, {second_best, 10}});
    EXPECT_EQ(quick_sweep().plan().candidates, 2U);
    EXPECT_EQ(quick_sweep(false).plan().candidates, 8U) << "everything is measured again";
    EXPECT_EQ(sweep().plan().cells.back().trials.size(), 8U) << "exhaustive effort";
    quick_sweep().run({}, stop_);
    EXPECT_EQ(count("uuid = 'GPU-2' AND stage = 'screen'"), 2);
    EXPECT_EQ(winner(n), second_best);
    EXPECT_EQ(stored_winner()->units, 2U);
    EXPECT_TRUE(quick_sweep().plan().is_done());

    families_[0].code_hash = "other hash";
    EXPECT_EQ(quick_sweep().plan().candidates, 8U) << "the finalists are of other code";
}

TEST_F(UnitsTest, FinalistsOfOtherUnitsHaveTheEffortOfTheirSearch) {
    sweep().run({}, stop_);
    executor_.use_unit("GPU-2");
    SweepRequest quick{make_problem("sum", Type::f32), {n}, {Regime::cold}, true, "test"};
    quick.effort = Effort::quick;
    Sweep(executor_, store_, families_, quick).run({}, stop_);
    EXPECT_EQ(stored_winner()->units, 2U);
    EXPECT_EQ(stored_winner()->effort, "exhaustive");
}

TEST_F(UnitsTest, AFinalistThatIsWrongOnThisUnitIsNotTimed) {
    sweep().run({}, stop_);
    const std::string best = winner(n);
    executor_.use_unit("GPU-2");
    executor_.failing = {best};
    sweep(false).run({}, stop_);
    EXPECT_EQ(count("uuid = 'GPU-2' AND stage = 'final' AND measurements.status <> 'ok'"), 0);
    EXPECT_NE(winner(n), best);
}

TEST_F(UnitsTest, FinalistsOfOlderCodeDoNotCompete) {
    sweep().run({}, stop_);
    executor_.use_unit("GPU-2");
    families_[0].code_hash = "newer";
    sweep().run({}, stop_);
    EXPECT_EQ(stored_winner()->units, 1U);
    EXPECT_EQ(stored_winner()->measurement.code_hash, "newer");
}

TEST_F(UnitsTest, AUnitThatWasSearchedWithOlderCodeDoesNotCount) {
    const std::string common_finalist = "unchanged(block=32, blocks_per_sm=1)";
    const std::string new_best = "fake(block=64, blocks_per_sm=1)";
    Family unchanged = families_[0];
    unchanged.name = "unchanged";
    families_.push_back(unchanged);
    set_times({{common_finalist, 10}});
    sweep().run({}, stop_);
    executor_.use_unit("GPU-2");
    families_[0].code_hash = "newer";
    set_times({{common_finalist, 10}, {new_best, 5}});
    sweep().run({}, stop_);
    EXPECT_EQ(winner(n), new_best);
    EXPECT_EQ(stored_winner()->units, 1U);
}

}  // namespace
}  // namespace redtune::search
