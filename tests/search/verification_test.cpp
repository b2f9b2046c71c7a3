#include "tuner/search/verification.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "tests/search/sweep_fixture.h"
#include "tuner/search/retune.h"

namespace redtune::search {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t small = 1 << 18;

/// A database with a finished sweep of two sizes.
class VerificationTest : public SweepTest {
  protected:
    VerificationTest() { sweep().run({}, stop_); }

    std::vector<StoredCell> cells(const WinnerFilter& is_asked = [](const auto&) { return true; }) {
        std::vector<StoredCell> found =
            stored_cells(std::span(&store_, 1), executor_.device(), Determinism::any, false, is_asked);
        for (StoredCell& cell : found) read_rivals(cell, store_);
        return found;
    }
    StoredCell cell() {
        return cells([](const db::StoredWinner& winner) { return winner.n == small; }).at(0);
    }
    Verification verify(const StoredCell& cell, double tolerance = 0.05) {
        return search::verify(cell, executor_, families_, {tolerance, 24});
    }
    /// Multiplies the times of all trials by `all`, and the winner's once more by `of_winner`.
    void slow_down(double all, double of_winner = 1) {
        const std::string winner_text = winner(small);
        const auto before = executor_.time_us;
        executor_.time_us = [=](const Trial& trial, std::uint64_t n, Regime regime) {
            const double us = before(trial, n, regime) * all;
            return to_string(trial.configuration) == winner_text ? us * of_winner : us;
        };
    }
};

TEST_F(VerificationTest, UnchangedTimesAreOkWithoutReasons) {
    for (const StoredCell& each : cells()) {
        const Verification now = verify(each);
        EXPECT_EQ(now.verdict, Verdict::ok);
        EXPECT_EQ(now.now_us, now.stored_us);
        EXPECT_THAT(now.reasons, IsEmpty());
        EXPECT_FALSE(now.best_now);
    }
    EXPECT_EQ(cells().size(), 2U);
}

TEST_F(VerificationTest, AChangeWithinTheToleranceIsOk) {
    slow_down(1.04);
    EXPECT_EQ(verify(cell()).verdict, Verdict::ok);
    EXPECT_EQ(verify(cell(), 0.03).verdict, Verdict::slower);
}

TEST_F(VerificationTest, AGeneralSlowDownIsToldFromAWinnerThatIsNoLongerTheBest) {
    const double stored_us = cell().winner.measurement.measurement.median_us;
    // The sweep keeps no other finalist, because all other trials are slower by more than 2 %.
    StoredCell with_rival = cell();
    with_rival.rivals = {with_rival.winner.measurement};
    const auto screened = store_.measurements(executor_.device(), {}, small, Regime::cold);
    const auto other = std::ranges::find_if(screened, [&](const db::StoredMeasurement& each) {
        return each.configuration != with_rival.winner.measurement.configuration;
    });
    ASSERT_NE(other, screened.end());
    with_rival.rivals = {*other};

    slow_down(1.5);
    const Verification general = verify(with_rival);
    EXPECT_EQ(general.verdict, Verdict::slower);
    EXPECT_NEAR(general.now_us, stored_us * 1.5, 1e-9);
    EXPECT_THAT(general.reasons,
                ElementsAre("nothing recorded differs", "the other finalists take 1.50 times their stored time"));

    slow_down(1, 3);
    const Verification own = verify(with_rival);
    EXPECT_EQ(own.verdict, Verdict::no_longer_best);
    ASSERT_TRUE(own.best_now);
    EXPECT_EQ(own.best_now->configuration, other->configuration);
    EXPECT_LT(own.best_now->us, own.now_us);
    EXPECT_THAT(own.reasons.front(), HasSubstr("less time: fake("));
}

TEST_F(VerificationTest, AWinnerThatWasSlowerFromTheStartIsNotNoLongerBest) {
    StoredCell chosen_on_other_data = cell();
    const auto screened = store_.measurements(executor_.device(), {}, small, Regime::cold);
    // The slowest trial is stored as the winner, with the best one as a rival.
    const auto slowest = std::ranges::max_element(
        screened, {}, [](const db::StoredMeasurement& each) { return each.measurement.median_us; });
    const double ratio = slowest->measurement.median_us / chosen_on_other_data.winner.measurement.measurement.median_us;
    chosen_on_other_data.rivals = {chosen_on_other_data.winner.measurement};
    chosen_on_other_data.winner.measurement = *slowest;
    chosen_on_other_data.winner.data = {{"uniform", ratio}};
    EXPECT_EQ(verify(chosen_on_other_data).verdict, Verdict::ok);
    chosen_on_other_data.winner.data = {{"uniform", 1.0}};
    EXPECT_EQ(verify(chosen_on_other_data).verdict, Verdict::no_longer_best);
}

TEST_F(VerificationTest, FasterCountsAsDrift) {
    slow_down(0.5);
    EXPECT_EQ(verify(cell()).verdict, Verdict::faster);
}

TEST_F(VerificationTest, AWinnerThatFailsCannotRunAndSaysWhy) {
    executor_.failing = {winner(small)};
    const Verification now = verify(cell());
    EXPECT_EQ(now.verdict, Verdict::cannot_run);
    EXPECT_EQ(now.now_us, 0);
    EXPECT_THAT(now.reasons, ElementsAre("expected 1, got 2"));
}

TEST_F(VerificationTest, AWinnerOfAMissingFamilyCannotRun) {
    families_.front().name = "another";
    EXPECT_THAT(verify(cell()).reasons, Contains("there is no family fake any more"));
}

TEST_F(VerificationTest, DataOfAFileAreNotStored) {
    StoredCell of_file = cell();
    of_file.winner.measurement.measurement.data = "file:x.bin@1a2b";
    const Verification now = verify(of_file);
    EXPECT_EQ(now.verdict, Verdict::cannot_run);
    EXPECT_THAT(now.reasons, Contains(HasSubstr("file:x.bin@1a2b, which is not stored")));
}

TEST_F(VerificationTest, ChangedCodeAndDriverAreReasons) {
    slow_down(1.5);
    families_.front().code_hash = "another";
    StoredCell old = cell();
    old.winner.toolchain.driver_version = "570";
    EXPECT_THAT(verify(old).reasons, testing::IsSupersetOf({"the kernel's code has changed", "driver 570, now 580"}));
}

TEST_F(VerificationTest, AFailingRivalDoesNotMatter) {
    StoredCell with_rival = cell();
    const auto screened = store_.measurements(executor_.device(), {}, small, Regime::cold);
    with_rival.rivals = screened;
    for (const db::StoredMeasurement& each : screened) {
        if (each.configuration != with_rival.winner.measurement.configuration) {
            executor_.failing.insert(to_string(each.configuration));
        }
    }
    EXPECT_EQ(verify(with_rival).verdict, Verdict::ok);
}

TEST_F(VerificationTest, OfAnotherChipNothingIsStored) {
    DeviceInfo other = executor_.device();
    other.sm_count = 16;
    const auto found =
        stored_cells(std::span(&store_, 1), other, Determinism::any, false, [](const auto&) { return true; });
    EXPECT_THAT(found, IsEmpty());
}

TEST_F(VerificationTest, EachCellCountsOnceAndTheFirstStoreHasPrecedence) {
    std::vector<db::Store> stores;
    stores.push_back(db::Store::open(folder_ / "first.db", db::Access::read_write));
    db::add_winner(stores[0], executor_.device(), {}, small, Regime::cold, db::candidate(), 7);
    stores.push_back(db::Store::open(folder_ / "test.db", db::Access::read_only));
    const auto all = [](const auto&) { return true; };
    const auto found = stored_cells(stores, executor_.device(), Determinism::any, false, all);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].winner.n, small);
    EXPECT_EQ(found[0].store, 0U);
    EXPECT_EQ(found[0].winner.measurement.measurement.median_us, 7);
    EXPECT_EQ(found[1].store, 1U);
}

TEST_F(VerificationTest, RetuningFindsTheNewWinnerOfTheseCellsOnly) {
    const std::string old = winner(small);
    slow_down(1, 3);
    const std::size_t untouched = stored(1 << 20);
    retune(std::vector<CellKey>{{small, Regime::cold}, {1 << 30, Regime::cold}}, make_problem("sum", Type::f32),
           Effort::exhaustive, executor_, store_, families_, {}, stop_);
    EXPECT_NE(winner(small), old);
    EXPECT_EQ(stored(1 << 20), untouched);
    EXPECT_EQ(verify(cell()).verdict, Verdict::ok);
}

TEST_F(VerificationTest, TheVerdictFollowsTheRatio) {
    const StoredCell stored = cell();
    EXPECT_TRUE(rc::check([&] {
        const double ratio = *rc::gen::inRange(50, 200) / 100.0;
        const double tolerance = *rc::gen::inRange(1, 50) / 100.0;
        // Not at the limits, where rounding decides.
        RC_PRE(std::abs(ratio - 1 - tolerance) > 1e-9 && std::abs(ratio * (1 + tolerance) - 1) > 1e-9);
        StoredCell changed = stored;
        changed.winner.measurement.measurement.median_us /= ratio;
        const Verdict expected = ratio > 1 + tolerance         ? Verdict::slower
                                 : ratio * (1 + tolerance) < 1 ? Verdict::faster
                                                               : Verdict::ok;
        RC_ASSERT(verify(changed, tolerance).verdict == expected);
    }));
}

}  // namespace
}  // namespace redtune::search
