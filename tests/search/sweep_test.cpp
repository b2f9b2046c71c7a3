#include "tuner/search/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "redtune/error.h"
#include "tests/search/sweep_fixture.h"
#include "tuner/timing/constants.h"

namespace redtune::search {
namespace {

TEST_F(SweepTest, FindsTheBestAndStoresEverything) {
    Sweep first = sweep();
    EXPECT_EQ(first.plan().cells.size(), 2U);
    EXPECT_EQ(first.plan().stored, 0U);
    EXPECT_EQ(first.plan().compiles, 4U);
    const SweepResult result = first.run({}, stop_);
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(result.failed, 0U);
    EXPECT_EQ(winner(1 << 20), "fake(block=128, blocks_per_sm=2)");
    EXPECT_EQ(stored(1 << 20) + stored(1 << 18), result.measured);
    const auto deterministic = store_.winner(executor_.device(), make_problem("sum", Type::f32), 1 << 20, Regime::cold,
                                             Determinism::run_to_run);
    EXPECT_TRUE(deterministic) << "what is best of all and deterministic is the best deterministic one";
}

TEST_F(SweepTest, AnErrorInAFamilysFileNamesItsLine) {
    families_.back().where.push_back({"", "no_such_value > 1", 7});
    try {
        sweep();
        FAIL() << "the condition is no valid SQL";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(":7:"));
        EXPECT_THAT(error.what(), testing::HasSubstr("no_such_value"));
    }
}

TEST_F(SweepTest, ASecondRunDoesNothing) {
    sweep().run({}, stop_);
    const std::size_t before = stored(1 << 20);
    Sweep again = sweep();
    EXPECT_TRUE(again.plan().is_done());
    EXPECT_EQ(again.plan().estimate_s, 0);
    EXPECT_EQ(again.run({}, stop_).measured, 0U);
    EXPECT_EQ(stored(1 << 20), before);
}

TEST_F(SweepTest, WithoutResumeAllIsMeasuredAgain) {
    sweep().run({}, stop_);
    const std::size_t before = stored(1 << 20);
    EXPECT_GT(sweep(false).run({}, stop_).measured, 0U);
    EXPECT_EQ(stored(1 << 20), 2 * before);
}

// Wherever a sweep is interrupted, the next one resumes there and ends with the same winners.
TEST_F(SweepTest, ResumesWhereverItWasInterrupted) {
    db::Store reference_store = db::Store::open(folder_ / "reference.db", db::Access::read_write);
    std::swap(store_, reference_store);
    const SweepResult whole = sweep().run({}, stop_);
    const std::string expected = winner(1 << 20);
    ASSERT_EQ(expected, "fake(block=128, blocks_per_sm=2)");
    for (std::size_t cut = 1; cut <= whole.measured; ++cut) {
        db::Store fresh = db::Store::open(folder_ / ("cut" + std::to_string(cut) + ".db"), db::Access::read_write);
        std::swap(store_, fresh);
        executor_.stop = &stop_;
        executor_.measured = 0;
        executor_.stop_after = cut;
        const SweepResult first = sweep().run({}, stop_);
        EXPECT_TRUE(first.interrupted);
        EXPECT_LT(first.measured, whole.measured + 1);
        stop_ = false;
        executor_.stop_after = 0;
        const SweepResult second = sweep().run({}, stop_);
        EXPECT_FALSE(second.interrupted);
        EXPECT_EQ(winner(1 << 18), "fake(block=128, blocks_per_sm=2)") << cut;
        EXPECT_EQ(winner(1 << 20), expected) << cut;
        EXPECT_TRUE(sweep().plan().is_done()) << cut;
        // No trial is screened twice.
        EXPECT_LE(first.measured + second.measured, whole.measured + 5) << cut;
    }
}

TEST_F(SweepTest, FailuresAreStoredAndDoNotWin) {
    executor_.failing = {"fake(block=128, blocks_per_sm=2)"};
    const SweepResult result = sweep().run({}, stop_);
    EXPECT_EQ(result.failed, 2U) << "once for each size";
    EXPECT_EQ(winner(1 << 20), "fake(block=128, blocks_per_sm=1)");
    Sweep again = sweep();
    EXPECT_TRUE(again.plan().is_done()) << "a failure is known, too";
}

TEST_F(SweepTest, ACandidateThatHasPassedIsNotCheckedAtTheHardSizesAgain) {
    executor_.failing = {"fake(block=64, blocks_per_sm=1)"};
    sweep().run({}, stop_);
    std::set<std::string> passed = executor_.measured_names;
    passed.erase("fake(block=64, blocks_per_sm=1)");
    EXPECT_EQ(passed.size(), 7U);
    EXPECT_EQ(executor_.skips_hard_sizes, passed);
}

TEST_F(SweepTest, HasNoWinnerIfAllCandidatesFail) {
    for (const char* block : {"32", "64", "128", "256"}) {
        for (const char* blocks : {"1", "2"}) {
            executor_.failing.insert(std::string("fake(block=") + block + ", blocks_per_sm=" + blocks + ")");
        }
    }
    EXPECT_EQ(sweep().run({}, stop_).without_winner, 2U);
    EXPECT_EQ(winner(1 << 20), "");
}

TEST_F(SweepTest, ACandidateThatLosesTheDeviceIsLeftOutTheNextTime) {
    executor_.loses_device = "fake(block=64, blocks_per_sm=1)";
    try {
        sweep().run({}, stop_);
        FAIL();
    } catch (const DeviceError& error) {
        EXPECT_NE(std::string(error.what()).find("fake(block=64, blocks_per_sm=1)"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("again"), std::string::npos);
    }
    EXPECT_THROW(sweep().run({}, stop_), DeviceError) << "the other size";
    EXPECT_EQ(sweep().run({}, stop_).failed, 2U);
    EXPECT_EQ(winner(1 << 20), "fake(block=128, blocks_per_sm=2)");
}

TEST_F(SweepTest, ChangedCodeIsMeasuredAgain) {
    sweep().run({}, stop_);
    families_[0].code_hash = "other";
    Sweep again = sweep();
    EXPECT_EQ(again.plan().stored, 0U);
    EXPECT_FALSE(again.plan().is_done());
}

TEST_F(SweepTest, ANewFamilyIsComparedWithTheOldWinner) {
    sweep().run({}, stop_);
    std::string text = front_matter;
    text.replace(text.find("fake"), 4, "newer");
    families_.push_back(parse_families("newer.cuh", text).front());
    families_.back().code_hash = "newer";
    Sweep again = sweep();
    EXPECT_EQ(again.plan().stored, again.plan().candidates / 2);
    EXPECT_FALSE(again.plan().is_done());
    again.run({}, stop_);
    EXPECT_TRUE(sweep().plan().is_done());
}

class RestrictedSweepTest : public SweepTest {
  protected:
    RestrictedSweepTest() {
        std::string text = front_matter;
        text.replace(text.find("fake"), 4, "other");
        families_.push_back(parse_families("other.cuh", text).front());
        families_.back().code_hash = "other hash";
    }

    Sweep restricted(std::vector<std::string> only) {
        return {executor_,
                store_,
                families_,
                {make_problem("sum", Type::f32), {1 << 18, 1 << 20}, {Regime::cold}, true, "test", std::move(only)}};
    }
    std::size_t stored_measurements_of(const std::string& family) {
        std::size_t count = 0;
        for (const auto& stored :
             store_.measurements(executor_.device(), make_problem("sum", Type::f32), 1 << 20, Regime::cold)) {
            if (stored.configuration.family == family) ++count;
        }
        return count;
    }
};

TEST_F(RestrictedSweepTest, MeasuresOnlyTheRequestedFamilies) {
    executor_.slowdown["other"] = 1;
    Sweep first = restricted({"other"});
    EXPECT_EQ(first.plan().candidates, 2 * 8U);
    EXPECT_EQ(first.plan().compiles, 4U);
    EXPECT_GT(first.run({}, stop_).measured, 0U);
    EXPECT_EQ(stored_measurements_of("fake"), 0U);
    EXPECT_GT(stored_measurements_of("other"), 0U);
    EXPECT_EQ(winner(1 << 20), "other(block=128, blocks_per_sm=2)") << "the best of what there is";
    EXPECT_TRUE(restricted({"other"}).plan().is_done());
    EXPECT_FALSE(restricted({}).plan().is_done()) << "without a restriction the others are missing";
}

TEST_F(RestrictedSweepTest, StoredMeasurementsOfOtherFamiliesTakePart) {
    restricted({"fake"}).run({}, stop_);
    const std::size_t before = stored_measurements_of("fake");
    executor_.slowdown["other"] = 1;
    Sweep second = restricted({"other"});
    EXPECT_EQ(second.plan().candidates, 2 * 16U);
    EXPECT_EQ(second.plan().stored, 2 * 8U);
    EXPECT_FALSE(second.plan().is_done());
    second.run({}, stop_);
    EXPECT_GT(stored_measurements_of("other"), 0U);
    EXPECT_EQ(winner(1 << 20), "fake(block=128, blocks_per_sm=2)") << "a slower family does not take over";
    // No screening was repeated.
    EXPECT_LT(stored_measurements_of("fake"), before + 8);
}

TEST_F(RestrictedSweepTest, AFasterFamilyBecomesTheWinner) {
    executor_.slowdown["fake"] = 1;
    restricted({"fake"}).run({}, stop_);
    EXPECT_EQ(winner(1 << 20), "fake(block=128, blocks_per_sm=2)");
    restricted({"other"}).run({}, stop_);
    EXPECT_EQ(winner(1 << 20), "other(block=128, blocks_per_sm=2)");
    EXPECT_TRUE(restricted({}).plan().is_done());
}

TEST_F(SweepTest, RefusedSizesAreReportedBeforeAnythingRuns) {
    EXPECT_THROW(Sweep(executor_, store_, families_,
                       {make_problem("sum", Type::f32), {1 << 18, 1 << 25}, {Regime::cold}, true, "test"}),
                 InputError);
    EXPECT_EQ(executor_.prepared, 0U);
}

TEST_F(SweepTest, RefusedFamiliesAreReportedBeforeAnythingRuns) {
    const auto refused = [&](const SweepRequest& request) {
        EXPECT_THAT([&] { Sweep(executor_, store_, families_, request); },
                    ::testing::ThrowsMessage<InputError>(
                        ::testing::HasSubstr("family unknown cannot be measured: it is not known")));
    };
    SweepRequest request{make_problem("sum", Type::f32), {1 << 18}, {Regime::cold}, true, "test"};
    request.only = {"fake", "unknown"};
    refused(request);
    request.only = {};
    request.required = {"unknown"};
    refused(request);
    EXPECT_EQ(executor_.prepared, 0U);
}

TEST_F(SweepTest, TrialsThatCannotWinAnyMoreAreStoppedEarlyAndStored) {
    executor_.time_us = [](const Trial& trial, std::uint64_t, Regime) { return static_cast<double>(trial.rule.block); };
    const SweepResult result = sweep().run({}, stop_);
    EXPECT_EQ(result.screened, 2 * 8U);
    EXPECT_EQ(result.stopped_early, 2 * 6U) << "all but those of the smallest block";
    std::size_t briefly = 0;
    for (const auto& entry :
         store_.measurements(executor_.device(), make_problem("sum", Type::f32), 1 << 20, Regime::cold)) {
        EXPECT_EQ(entry.measurement.status, Status::ok);
        briefly += entry.measurement.samples_us.size() == timing::early_stop_samples;
    }
    EXPECT_EQ(briefly, 6U);
    EXPECT_EQ(executor_.later_bounds, std::set<double>{0}) << "later stages are timed to the end";
    EXPECT_TRUE(sweep().plan().is_done()) << "what was stopped early is measured";
}

/// A sweep whose finalists are compared on uniform data and on data with an outlier.
class SweepOnDataTest : public SweepTest {
  protected:
    SweepOnDataTest() {
        // On uniform data, several configurations are within 5 % of the fastest; the fastest is slow on data with an
        // outlier.
        executor_.time_us = [](const Trial& trial, std::uint64_t, Regime) { return 1 + trial.rule.block * 1e-4; };
        executor_.delay_us = [](const std::string& data, const Trial& trial) {
            return data == "outlier" && trial.rule.block == 32 ? 0.5 : 0.0;
        };
    }
    Sweep sweep_on(std::vector<timing::DataKind> kinds) {
        SweepRequest request{make_problem("sum", Type::f32), {1 << 20}, {Regime::cold}, true, "test"};
        request.data.clear();
        for (const timing::DataKind kind : kinds) request.data.push_back(timing::data_of(kind));
        return {executor_, store_, families_, request};
    }
    db::StoredWinner stored_winner() { return store_.winners().at(0); }
};

TEST_F(SweepOnDataTest, TheWinnerIsFastOnAllDataAndItsRatiosAreStored) {
    sweep_on({timing::DataKind::uniform}).run({}, stop_);
    EXPECT_EQ(to_string(*stored_winner().measurement.configuration.find("block")), "32");

    Sweep both = sweep_on({timing::DataKind::uniform, timing::DataKind::outlier});
    EXPECT_FALSE(both.plan().is_done()) << "the winner was not compared on the outlier";
    const SweepResult result = both.run({}, stop_);
    EXPECT_EQ(result.screened, 0U) << "only finalists are timed again";
    const db::StoredWinner winner = stored_winner();
    EXPECT_EQ(to_string(*winner.measurement.configuration.find("block")), "64");
    EXPECT_EQ(winner.measurement.measurement.data, "uniform") << "the time that look-ups return is that of the first";
    ASSERT_EQ(winner.data.size(), 2U);
    EXPECT_EQ(winner.data[0].data, "uniform");
    EXPECT_NEAR(*winner.data[0].ratio, 1.0064 / 1.0032, 1e-4);
    EXPECT_EQ(winner.data[1], (DataRatio{"outlier", 1.0}));
    EXPECT_TRUE(sweep_on({timing::DataKind::outlier, timing::DataKind::uniform}).plan().cells[0].stored == 0)
        << "screenings are those of the first data";
    EXPECT_TRUE(sweep_on({timing::DataKind::uniform, timing::DataKind::outlier}).plan().is_done());
}

TEST_F(SweepOnDataTest, EverythingIsMeasuredOnTheFirstData) {
    sweep_on({timing::DataKind::outlier}).run({}, stop_);
    for (const auto& entry :
         store_.measurements(executor_.device(), make_problem("sum", Type::f32), 1 << 20, Regime::cold)) {
        EXPECT_EQ(entry.measurement.data, "outlier");
    }
    EXPECT_EQ(to_string(*stored_winner().measurement.configuration.find("block")), "64");
    EXPECT_EQ(stored_winner().data, (std::vector<DataRatio>{{"outlier", 1.0}}));
}

}  // namespace
}  // namespace redtune::search
