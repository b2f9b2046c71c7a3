#include "tuner/search/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/devices.h"
#include "tuner/timing/constants.h"
#include "tuner/timing/early_stop.h"

namespace redtune::search {
namespace {

constexpr const char* front_matter = R"(/*redtune
family = "fake"
[compile]
block = [32, 64, 128, 256]
[launch]
blocks_per_sm = [1, 2]
[derived]
tile = "block"
grid = "'blocks_per_sm'"
*/)";

/// Answers with times that follow from the configuration alone.
class FakeExecutor : public Executor {
  public:
    const DeviceInfo& device() const override { return device_; }
    const ToolchainInfo& toolchain() const override { return toolchain_; }
    std::string source() const override { return "gpu"; }
    std::optional<std::string> refuses(std::uint64_t n, Regime) const override {
        return n > (1 << 24) ? std::optional<std::string>("too large") : std::nullopt;
    }
    bool offers(const Trial&, std::uint64_t, Regime) const override { return true; }
    double screening_seconds(std::uint64_t) const override { return 0.001; }
    double compile_seconds() const override { return 0.01; }
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>&,
                 const std::atomic<bool>&) override {
        prepared += trials.size();
    }

    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override {
        const std::string name = to_string(trial.candidate.configuration);
        if (stop_after != 0 && ++measured == stop_after) *stop = true;
        if (name == loses_device) throw DeviceError("CUDA_ERROR_ILLEGAL_ADDRESS");
        Measurement measurement;
        measurement.stage = stage;
        measurement.measured_at = "2026-01-01T00:00:00Z";
        if (failing.contains(name)) {
            measurement.status = Status::wrong;
            measurement.reason = "expected 1, got 2";
            return measurement;
        }
        if (stage != Stage::screen) later_bounds.insert(best_us);
        measurement.samples_us.assign(12, time_us(trial, n, regime));
        if (timing::is_hopeless(measurement.samples_us, best_us)) measurement.samples_us.resize(2);
        summarise(measurement);
        measurement.resources.registers = 32;
        return measurement;
    }

    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime) override {
        std::vector<Measurement> measurements;
        for (const Trial& trial : trials) measurements.push_back(measure(trial, n, regime, Stage::final, 0));
        return measurements;
    }

    std::size_t prepared = 0;
    std::size_t stop_after = 0;
    std::size_t measured = 0;
    std::atomic<bool>* stop = nullptr;
    std::set<std::string> failing;
    std::string loses_device;
    std::map<std::string, double> slowdown;  // by family, in us
    /// Best at block 128 with 2 blocks per SM, by 3 % and more.
    std::function<double(const Trial&, std::uint64_t, Regime)> time_us = [this](const Trial& trial, std::uint64_t n,
                                                                                Regime) {
        return slowdown[trial.family->name] + 1 + static_cast<double>(n) / 1e6 +
               std::abs(static_cast<double>(trial.candidate.rule.block) - 128) / 256 +
               0.1 / trial.candidate.rule.blocks_per_sm;
    };
    std::set<double> later_bounds;  // of stages after the screening

  private:
    DeviceInfo device_ = redtune::test_support::h200();
    ToolchainInfo toolchain_{"0.1", "13.0", "580"};
};

class SweepTest : public ::testing::Test {
  protected:
    SweepTest() { families_[0].code_hash = "hash"; }

    Sweep sweep(bool resume = true) {
        return {executor_,
                store_,
                families_,
                {make_problem("sum", Type::f32), {1 << 18, 1 << 20}, {Regime::cold}, resume, "test"}};
    }
    std::string winner(std::uint64_t n) {
        const auto found =
            store_.winner(executor_.device(), make_problem("sum", Type::f32), n, Regime::cold, Determinism::any);
        return found ? to_string(found->measurement.configuration) : "";
    }
    std::size_t stored(std::uint64_t n) {
        return store_.measurements(executor_.device(), make_problem("sum", Type::f32), n, Regime::cold, std::nullopt)
            .size();
    }

    db::TemporaryFolder folder_;
    db::Store store_ = db::Store::open(folder_ / "test.db", db::Access::read_write);
    std::vector<Family> families_{parse_families("fake.cuh", front_matter).front()};
    FakeExecutor executor_;
    std::atomic<bool> stop_ = false;
};

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

// Wherever a sweep is cut off, the next goes on from there and ends with the same.
TEST_F(SweepTest, InterruptedAnywhereItGoesOn) {
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
        // Nothing is screened twice.
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

TEST_F(SweepTest, WhereAllFailThereIsNoWinner) {
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

TEST_F(SweepTest, ANewFamilyMeetsTheOldWinner) {
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
    std::size_t stored_of(const std::string& family) {
        std::size_t count = 0;
        for (const auto& stored : store_.measurements(executor_.device(), make_problem("sum", Type::f32), 1 << 20,
                                                      Regime::cold, std::nullopt)) {
            if (stored.configuration.family == family) ++count;
        }
        return count;
    }
};

TEST_F(RestrictedSweepTest, MeasuresTheFamiliesThatWereAskedForOnly) {
    executor_.slowdown["other"] = 1;
    Sweep first = restricted({"other"});
    EXPECT_EQ(first.plan().candidates, 2 * 8U);
    EXPECT_EQ(first.plan().compiles, 4U);
    EXPECT_GT(first.run({}, stop_).measured, 0U);
    EXPECT_EQ(stored_of("fake"), 0U);
    EXPECT_GT(stored_of("other"), 0U);
    EXPECT_EQ(winner(1 << 20), "other(block=128, blocks_per_sm=2)") << "the best of what there is";
    EXPECT_TRUE(restricted({"other"}).plan().is_done());
    EXPECT_FALSE(restricted({}).plan().is_done()) << "without a restriction the others are missing";
}

TEST_F(RestrictedSweepTest, WhatTheDatabaseHasOfOthersTakesPart) {
    restricted({"fake"}).run({}, stop_);
    const std::size_t before = stored_of("fake");
    executor_.slowdown["other"] = 1;
    Sweep second = restricted({"other"});
    EXPECT_EQ(second.plan().candidates, 2 * 16U);
    EXPECT_EQ(second.plan().stored, 2 * 8U);
    EXPECT_FALSE(second.plan().is_done());
    second.run({}, stop_);
    EXPECT_GT(stored_of("other"), 0U);
    EXPECT_EQ(winner(1 << 20), "fake(block=128, blocks_per_sm=2)") << "a slower family does not take over";
    // No screening was done again.
    EXPECT_LT(stored_of("fake"), before + 8);
}

TEST_F(RestrictedSweepTest, AFasterFamilyTakesOver) {
    executor_.slowdown["fake"] = 1;
    restricted({"fake"}).run({}, stop_);
    EXPECT_EQ(winner(1 << 20), "fake(block=128, blocks_per_sm=2)");
    restricted({"other"}).run({}, stop_);
    EXPECT_EQ(winner(1 << 20), "other(block=128, blocks_per_sm=2)");
    EXPECT_TRUE(restricted({}).plan().is_done());
}

TEST_F(SweepTest, RefusedSizesAreSaidBeforeAnythingRuns) {
    EXPECT_THROW(Sweep(executor_, store_, families_,
                       {make_problem("sum", Type::f32), {1 << 18, 1 << 25}, {Regime::cold}, true, "test"}),
                 InputError);
    EXPECT_EQ(executor_.prepared, 0U);
}

/// A family of many configurations, of which few do well.
constexpr const char* wide_front_matter = R"(/*redtune
family = "wide"
[compile]
block = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512,
         544, 576, 608, 640, 672, 704, 736, 768, 800, 832, 864, 896, 928, 960, 992, 1024]
[launch]
blocks_per_sm = [1, 2, 4, 8]
[derived]
tile = "32"
grid = "'blocks_per_sm'"
*/)";

class QuickEffort : public SweepTest {
  protected:
    QuickEffort() {
        families_ = parse_families("wide.cuh", wide_front_matter);
        families_[0].code_hash = "hash";
    }
    Sweep sweep_of(Effort effort, std::vector<std::uint64_t> sizes, std::vector<Regime> regimes = {Regime::cold},
                   const Problem& problem = make_problem("sum", Type::f32)) {
        SweepRequest request{problem, std::move(sizes), std::move(regimes), true, "test"};
        request.effort = effort;
        return {executor_, store_, families_, request};
    }
    Sweep quick(std::vector<std::uint64_t> sizes = {1 << 18, 1 << 19, 1 << 20},
                std::vector<Regime> regimes = {Regime::cold}, const Problem& problem = make_problem("sum", Type::f32)) {
        return sweep_of(Effort::quick, std::move(sizes), std::move(regimes), problem);
    }
    std::vector<db::StoredMeasurement> screenings(std::uint64_t n, Regime regime = Regime::cold,
                                                  const Problem& problem = make_problem("sum", Type::f32)) {
        auto all = store_.measurements(executor_.device(), problem, n, regime, std::nullopt);
        std::erase_if(all, [](const auto& entry) { return entry.measurement.stage != Stage::screen; });
        return all;
    }
    std::size_t screened(std::uint64_t n, Regime regime = Regime::cold,
                         const Problem& problem = make_problem("sum", Type::f32)) {
        return screenings(n, regime, problem).size();
    }
    std::string winner(std::uint64_t n, Regime regime = Regime::cold,
                       const Problem& problem = make_problem("sum", Type::f32)) {
        const auto found = store_.winner(executor_.device(), problem, n, regime, Determinism::any);
        return found ? to_string(found->measurement.configuration) : "";
    }
    /// All the same but one configuration, which nothing near it points to.
    static auto needle(Regime where, std::string which) {
        return [where, which = std::move(which)](const Trial& trial, std::uint64_t, Regime regime) {
            return regime == where && to_string(trial.candidate.configuration) == which ? 1.0 : 2.0;
        };
    }
};

constexpr std::size_t all_wide = 128;

TEST_F(QuickEffort, ScreensAnAnchorWholeAndItsNeighboursBriefly) {
    const SweepResult result = quick().run({}, stop_);
    EXPECT_EQ(result.without_winner, 0U);
    EXPECT_EQ(screened(1 << 18), all_wide);
    EXPECT_LT(screened(1 << 19), all_wide / 2);
    EXPECT_GE(screened(1 << 19), 10U);
    EXPECT_EQ(winner(1 << 19), winner(1 << 18)) << "what won beside it takes part";
    EXPECT_EQ(result.screened, screened(1 << 18) + screened(1 << 19) + screened(1 << 20));
}

TEST_F(QuickEffort, EveryFourthSizeOfTheFirstRegimeIsAnAnchor) {
    const std::vector<std::uint64_t> sizes = {1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21};
    quick(sizes, {Regime::cold, Regime::warm}).run({}, stop_);
    for (const Regime regime : {Regime::cold, Regime::warm}) {
        for (const std::uint64_t n : sizes) {
            const bool is_anchor = regime == Regime::cold && (n == 1 << 16 || n == 1 << 20);
            if (is_anchor) {
                EXPECT_EQ(screened(n, regime), all_wide) << n;
            } else {
                EXPECT_LT(screened(n, regime), all_wide) << n << to_string(regime);
            }
        }
    }
    // Anchors come first: what is in between knows of both.
    EXPECT_LT(screenings(1 << 20).back().id, screenings(1 << 17).front().id);
}

TEST_F(QuickEffort, ASecondRunDoesNothing) {
    quick().run({}, stop_);
    const std::size_t before = screened(1 << 20);
    Sweep again = quick();
    EXPECT_TRUE(again.plan().is_done());
    again.run({}, stop_);
    EXPECT_EQ(screened(1 << 20), before);
}

TEST_F(QuickEffort, InterruptedItEndsWithTheSameWinners) {
    quick().run({}, stop_);
    const std::string expected = winner(1 << 19);
    for (const std::size_t cut : {1U, 60U, 127U, 140U, 160U, 190U}) {
        db::Store fresh = db::Store::open(folder_ / ("cut" + std::to_string(cut) + ".db"), db::Access::read_write);
        std::swap(store_, fresh);
        executor_.stop = &stop_;
        executor_.measured = 0;
        executor_.stop_after = cut;
        quick().run({}, stop_);
        stop_ = false;
        executor_.stop_after = 0;
        quick().run({}, stop_);
        EXPECT_EQ(winner(1 << 19), expected) << cut;
        EXPECT_EQ(screened(1 << 18), all_wide) << cut << ": an anchor stays one";
        EXPECT_TRUE(quick().plan().is_done()) << cut;
    }
}

TEST_F(QuickEffort, ANeighbourOfTheSameRegimeSaysMoreThanThreeOfAnother) {
    const std::string hidden = "wide(block=736, blocks_per_sm=4)";
    executor_.time_us = needle(Regime::warm, hidden);
    sweep_of(Effort::exhaustive, {1 << 18}, {Regime::warm}).run({}, stop_);
    // In the cold regime there are no less than three neighbours, and what wins there is nowhere near.
    executor_.time_us = [&](const Trial& trial, std::uint64_t n, Regime regime) {
        const double block = trial.candidate.rule.block;
        return regime == Regime::cold ? 2 + block / 100 : needle(Regime::warm, hidden)(trial, n, regime);
    };
    quick({1 << 18, 1 << 19, 1 << 20, 1 << 21}, {Regime::cold, Regime::warm}).run({}, stop_);
    EXPECT_EQ(winner(1 << 19, Regime::warm), hidden);
}

TEST_F(QuickEffort, ClimbsFromWhatDidWellElsewhere) {
    // The best block grows with the size; neither what is promising nor the sample has it.
    executor_.time_us = [](const Trial& trial, std::uint64_t n, Regime) {
        return 1 + std::abs(trial.candidate.rule.block - static_cast<double>(n >> 11)) / 1000 +
               std::abs(trial.candidate.rule.blocks_per_sm - 4) / 20;
    };
    quick({1 << 18, 1 << 20}).run({}, stop_);
    EXPECT_EQ(winner(1 << 18), "wide(block=128, blocks_per_sm=4)");
    EXPECT_EQ(winner(1 << 20), "wide(block=512, blocks_per_sm=4)");
}

TEST_F(QuickEffort, AProblemAlikeSparesTheAnchors) {
    const Problem other = make_problem("sum", Type::i32);
    const std::string hidden = "wide(block=736, blocks_per_sm=4)";
    executor_.time_us = needle(Regime::cold, hidden);
    quick({1 << 18}).run({}, stop_);
    ASSERT_EQ(winner(1 << 18), hidden);
    // Twice as many as the anchor's sample, so that a sample is not all.
    std::string text = wide_front_matter;
    text.replace(text.find("wide"), 4, "more");
    families_.push_back(parse_families("more.cuh", text).front());
    families_.back().code_hash = "hash";
    const Sweep planned = quick({1 << 18}, {Regime::cold}, other);
    EXPECT_FALSE(planned.plan().cells[0].is_whole);
    quick({1 << 18}, {Regime::cold}, other).run({}, stop_);
    EXPECT_EQ(winner(1 << 18, Regime::cold, other), hidden);
    EXPECT_LT(screened(1 << 18, Regime::cold, other), 2 * all_wide - 20);
    // Another width and another operator say nothing.
    EXPECT_TRUE(quick({1 << 18}, {Regime::cold}, make_problem("max", Type::f64)).plan().cells[0].is_whole);
    EXPECT_TRUE(quick({1 << 19}, {Regime::cold}, other).plan().cells[0].is_whole) << "nor does another size";
}

TEST_F(QuickEffort, WhatOtherCodeDidIsPromisingButNotMeasured) {
    const std::string hidden = "wide(block=736, blocks_per_sm=4)";
    executor_.time_us = needle(Regime::cold, hidden);
    quick({1 << 18}).run({}, stop_);
    families_[0].code_hash = "changed";
    Sweep again = quick({1 << 18});
    EXPECT_EQ(again.plan().stored, 0U);
    EXPECT_FALSE(again.plan().cells[0].is_whole);
    again.run({}, stop_);
    const auto all = screenings(1 << 18);
    ASSERT_GT(all.size(), all_wide);
    EXPECT_EQ(to_string(all[all_wide].configuration), hidden) << "the most promising first";
    EXPECT_EQ(all[all_wide].code_hash, "changed");
    EXPECT_EQ(winner(1 << 18), hidden);
}

TEST_F(QuickEffort, AWinnerOfOtherCodeDecidesNothing) {
    std::string text = wide_front_matter;
    text.replace(text.find("wide"), 4, "slow");
    families_.push_back(parse_families("slow.cuh", text).front());
    families_.back().code_hash = "hash";
    executor_.time_us = [](const Trial& trial, std::uint64_t, Regime) {
        return trial.family->name == "slow" ? 2.0 : 1.0;
    };
    quick({1 << 18}).run({}, stop_);
    ASSERT_EQ(winner(1 << 18).substr(0, 4), "wide");
    families_[0].code_hash = "changed";
    const Sweep again = quick({1 << 18});
    EXPECT_GT(again.plan().stored, 0U) << "of the family that is as it was";
    EXPECT_FALSE(again.plan().is_done());
}

TEST_F(SweepTest, WhatCannotWinAnyMoreIsStoppedEarlyAndStored) {
    executor_.time_us = [](const Trial& trial, std::uint64_t, Regime) {
        return static_cast<double>(trial.candidate.rule.block);
    };
    const SweepResult result = sweep().run({}, stop_);
    EXPECT_EQ(result.screened, 2 * 8U);
    EXPECT_EQ(result.stopped_early, 2 * 6U) << "all but those of the smallest block";
    std::size_t briefly = 0;
    for (const auto& entry :
         store_.measurements(executor_.device(), make_problem("sum", Type::f32), 1 << 20, Regime::cold, std::nullopt)) {
        EXPECT_EQ(entry.measurement.status, Status::ok);
        briefly += entry.measurement.samples_us.size() == timing::early_stop_samples;
    }
    EXPECT_EQ(briefly, 6U);
    EXPECT_EQ(executor_.later_bounds, std::set<double>{0}) << "later stages are timed to the end";
    EXPECT_TRUE(sweep().plan().is_done()) << "what was stopped early is measured";
}

TEST_F(QuickEffort, WhatHasTooLittleInFlightIsRuledOutUnmeasured) {
    std::string text = wide_front_matter;
    // One byte of each of few blocks: n = 2^20 would take many times the microsecond that all take here.
    text.replace(text.find("tile = \"32\""), 11, "tile = 32\nbytes_in_flight = \"iif(blocks_per_sm = 1, 32, 65536)\"");
    families_ = parse_families("wide.cuh", text);
    families_[0].code_hash = "hash";
    executor_.time_us = [](const Trial&, std::uint64_t, Regime) { return 1.0; };
    std::size_t shown = 0;
    const SweepResult result =
        quick({1 << 20}).run([&](const SweepProgress& progress) { shown = progress.pruned; }, stop_);
    EXPECT_GT(result.pruned, 0U);
    EXPECT_EQ(shown, result.pruned);
    EXPECT_EQ(screened(1 << 20), all_wide - result.pruned);
    for (const auto& entry : screenings(1 << 20)) {
        // Before the first time is taken there is nothing to compare with.
        if (entry.id == 1) continue;
        EXPECT_NE(to_string(*entry.configuration.find("blocks_per_sm")), "1");
    }
    EXPECT_TRUE(quick({1 << 20}).plan().is_done());
    EXPECT_EQ(sweep_of(Effort::exhaustive, {1 << 20}).run({}, stop_).pruned, 0U);
    EXPECT_EQ(screened(1 << 20), all_wide) << "exhaustive is measured";
}

}  // namespace
}  // namespace redtune::search
