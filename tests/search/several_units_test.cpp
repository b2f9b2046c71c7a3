// Sweeps that several units of a device share, each in a thread of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <map>
#include <memory>
#include <utility>

#include "db/connection.h"
#include "tests/search/sweep_fixture.h"
#include "tuner/search/device_groups.h"
#include "tuner/timing/constants.h"

namespace redtune::search {
namespace {

/// A unit whose first measurement waits until each other unit takes its first one too, so that every unit has a part.
class UnitExecutor : public FakeExecutor {
  public:
    explicit UnitExecutor(const std::string& uuid, std::shared_ptr<std::latch> all = nullptr) : all_(std::move(all)) {
        use_unit(uuid);
    }
    Measurement measure(const Trial& trial, std::uint64_t n, Regime regime, Stage stage, double best_us) override {
        if (const auto all = std::exchange(all_, nullptr)) all->arrive_and_wait();
        return FakeExecutor::measure(trial, n, regime, stage, best_us);
    }
    std::vector<Measurement> compare(std::span<const Trial> trials, std::uint64_t n, Regime regime,
                                     int of_each) override {
        rounds[n] = of_each;
        return FakeExecutor::compare(trials, n, regime, of_each);
    }
    void begin_finish() override { ++finished; }

    int finished = 0;
    std::map<std::uint64_t, int> rounds;  ///< by size, of the last comparison

  private:
    std::shared_ptr<std::latch> all_;
};

/// A unit whose first compilation waits until each other unit begins its first one too, so that every unit has a part.
class CompilingUnit : public FakeExecutor {
  public:
    CompilingUnit(const std::string& uuid, std::shared_ptr<std::latch> all) : all_(std::move(all)) { use_unit(uuid); }
    void prepare(std::span<const Trial> trials, const std::function<void(const PrepareProgress&)>& progress,
                 const std::atomic<bool>& stop) override {
        if (progress) progress({0, trials.size()});
        const auto all = std::exchange(all_, nullptr);
        if (all) all->arrive_and_wait();
        FakeExecutor::prepare(trials, progress, stop);
        if (all) prepared_first = prepared_names;
        if (progress) progress({trials.size(), trials.size()});
    }

    std::set<std::string> prepared_first;  ///< the configurations of the first call

  private:
    std::shared_ptr<std::latch> all_;
};

class SeveralUnitsTest : public SweepTest {
  protected:
    SeveralUnitsTest() {
        for (std::uint64_t n = 1 << 17; n <= 1 << 23; n *= 2) request_.sizes.push_back(n);
    }

    /// Makes this many units, which work together from the first measurement on.
    void make_units(std::size_t count) {
        const auto all = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(count));
        units_.clear();
        for (std::size_t i = 0; i < count; ++i) {
            units_.push_back(std::make_unique<UnitExecutor>("GPU-" + std::to_string(i), all));
        }
    }

    std::unique_ptr<Sweep> shared_sweep() {
        std::vector<Executor*> units;
        for (const auto& unit : units_) units.push_back(unit.get());
        return std::make_unique<Sweep>(units, store_, families_, request_, turn_);
    }
    SweepResult run() {
        return shared_sweep()->run([&](const SweepProgress& progress) { shown_.push_back(progress); }, stop_);
    }

    std::optional<db::StoredWinner> stored_winner(std::uint64_t n) {
        return store_.winner(executor_.device(), request_.problem, n, Regime::cold, Determinism::any);
    }
    std::int64_t count(const std::string& condition) {
        return store_.connection().value("SELECT count(*) FROM measurements JOIN sweeps USING (sweep_id) WHERE " +
                                         condition);
    }
    std::ptrdiff_t shown(SweepProgress::Phase phase) const {
        return std::ranges::count_if(shown_, [&](const SweepProgress& each) { return each.phase == phase; });
    }
    void expect_all_decided() {
        for (const std::uint64_t n : request_.sizes) EXPECT_NE(winner(n), "") << n;
    }

    static constexpr std::int64_t trials = 8;  // of each size
    SweepRequest request_{make_problem("sum", Type::f32), {}, {Regime::cold}, true, "test"};
    std::vector<std::unique_ptr<UnitExecutor>> units_;
    std::mutex turn_;
    std::vector<SweepProgress> shown_;
};

TEST_F(SeveralUnitsTest, EachSizeIsSearchedByOneUnitAndItsFinalistsAreTimedOnAll) {
    make_units(2);
    const SweepResult result = run();
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(result.lost_units, 0U);
    EXPECT_EQ(result.without_winner, 0U);
    const auto sizes = static_cast<std::int64_t>(request_.sizes.size());
    EXPECT_EQ(count("stage = 'screen'"), trials * sizes);
    for (const char* unit : {"GPU-0", "GPU-1"}) {
        EXPECT_GT(count(std::string("stage = 'screen' AND uuid = '") + unit + "'"), 0);
        EXPECT_GE(count(std::string("stage = 'final' AND uuid = '") + unit + "'"), sizes);
    }
    for (const std::uint64_t n : request_.sizes) {
        EXPECT_EQ(stored_winner(n)->units, 2U);
        EXPECT_EQ(stored_winner(n)->spread.value(), 1);
        EXPECT_EQ(stored_winner(n)->effort, "exhaustive");
        EXPECT_EQ(units_[0]->rounds[n] + units_[1]->rounds[n], 2 * timing::fewer_final_rounds);
    }
    EXPECT_EQ(shown(SweepProgress::Phase::cell_done), sizes);
    EXPECT_EQ(shown(SweepProgress::Phase::cell_confirmed), sizes);
    EXPECT_EQ(store_.connection().value("SELECT count(*) FROM sweep WHERE status = 'finished'"), 2);
    for (const auto& unit : units_) EXPECT_EQ(unit->finished, 1);
}

TEST_F(SeveralUnitsTest, EachUnitCompilesAPartOfTheKernels) {
    const auto all = std::make_shared<std::latch>(2);
    CompilingUnit first("GPU-0", all);
    CompilingUnit second("GPU-1", all);
    Sweep sweep({&first, &second}, store_, families_, request_, turn_);
    std::vector<PrepareProgress> compiled;
    const auto show = [&](const SweepProgress& now) {
        if (now.phase == SweepProgress::Phase::compile) compiled.push_back(now.compile);
    };
    EXPECT_FALSE(sweep.run(show, stop_).interrupted);
    EXPECT_EQ(first.prepared_first.size() + second.prepared_first.size(), first.prepared_names.size());
    EXPECT_GT(first.prepared_first.size(), 0U);
    EXPECT_GT(second.prepared_first.size(), 0U);
    EXPECT_EQ(first.prepared_names, second.prepared_names) << "each unit loads what the other has compiled";
    EXPECT_THAT(first.not_prepared, testing::IsEmpty());
    EXPECT_THAT(second.not_prepared, testing::IsEmpty());
    ASSERT_FALSE(compiled.empty());
    for (const PrepareProgress& each : compiled) EXPECT_EQ(each.total, compiled.back().total) << "the sum of both";
    EXPECT_EQ(compiled.back().done, compiled.back().total);
}

TEST_F(SeveralUnitsTest, TheWinnersAreThoseOfOneUnit) {
    make_units(3);
    run();
    db::Store alone = db::Store::open(folder_ / "alone.db", db::Access::read_write);
    Sweep(executor_, alone, families_, request_).run({}, stop_);
    for (const std::uint64_t n : request_.sizes) {
        const auto of_one = alone.winner(executor_.device(), request_.problem, n, Regime::cold, Determinism::any);
        EXPECT_EQ(winner(n), to_string(of_one->measurement.configuration));
        EXPECT_EQ(stored_winner(n)->units, 3U);
    }
}

TEST_F(SeveralUnitsTest, NothingIsLeftForASecondRunOnAnyOfTheUnits) {
    make_units(2);
    run();
    EXPECT_TRUE(shared_sweep()->is_done());
    executor_.use_unit("GPU-1");
    EXPECT_TRUE(Sweep(executor_, store_, families_, request_).is_done());
    executor_.use_unit("GPU-2");
    EXPECT_FALSE(Sweep(executor_, store_, families_, request_).is_done());
}

TEST_F(SeveralUnitsTest, TheWinnerIsFastOnAllUnits) {
    const std::string first_best = "fake(block=32, blocks_per_sm=1)";
    const std::string second_best = "fake(block=64, blocks_per_sm=1)";
    make_units(2);
    const auto set_times = [&](std::size_t unit, std::map<std::string, double> times) {
        units_[unit]->time_us = [times = std::move(times)](const Trial& trial, std::uint64_t, Regime) {
            const auto found = times.find(to_string(trial.configuration));
            return found == times.end() ? 20 : found->second;
        };
    };
    set_times(0, {{first_best, 10}, {second_best, 10.15}});
    set_times(1, {{first_best, 10.3}, {second_best, 10}});
    run();
    for (const std::uint64_t n : request_.sizes) EXPECT_EQ(winner(n), second_best);
}

TEST_F(SeveralUnitsTest, AUnitThatIsAddedTimesOnlyTheFinalists) {
    make_units(1);
    run();
    const std::int64_t screenings = count("stage = 'screen'");
    make_units(1);
    units_.push_back(std::make_unique<UnitExecutor>("GPU-9"));
    EXPECT_FALSE(shared_sweep()->is_done());
    run();
    EXPECT_EQ(count("stage = 'screen'"), screenings);
    EXPECT_EQ(count("stage = 'survivor' AND uuid = 'GPU-9'"), 0);
    for (const std::uint64_t n : request_.sizes) EXPECT_EQ(stored_winner(n)->units, 2U);
}

TEST_F(SeveralUnitsTest, AUnitThatWasSearchedLessDoesNotMakeTheOthersMeasureAgain) {
    request_.effort = Effort::quick;
    make_units(1);
    run();
    request_.effort = Effort::exhaustive;
    units_.clear();
    for (const char* unit : {"GPU-8", "GPU-9"}) units_.push_back(std::make_unique<UnitExecutor>(unit));
    run();
    EXPECT_TRUE(shared_sweep()->is_done());
    for (const std::uint64_t n : request_.sizes) EXPECT_EQ(stored_winner(n)->effort, "quick") << "that of GPU-0";
}

TEST_F(SeveralUnitsTest, AUnitOnWhichTheFinalistsFailIsSearchedItself) {
    make_units(1);
    run();
    const std::string best = winner(1 << 20);
    make_units(1);
    units_.push_back(std::make_unique<UnitExecutor>("GPU-9"));
    units_.back()->failing = {best};
    run();
    EXPECT_GT(count("stage = 'survivor' AND uuid = 'GPU-9'"), 0);
    const DeviceInfo& device = units_.back()->device();
    EXPECT_TRUE(store_.unit_winner(device, request_.problem, 1 << 20, Regime::cold, Determinism::any));
}

TEST_F(SeveralUnitsTest, TheOthersMeasureWhatALostUnitHadInHand) {
    make_units(3);
    units_[1]->loses_device = "fake(block=32, blocks_per_sm=1)";
    const SweepResult result = run();
    EXPECT_EQ(result.lost_units, 1U);
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(shown(SweepProgress::Phase::unit_lost), 1);
    const auto lost = std::ranges::find(shown_, SweepProgress::Phase::unit_lost, &SweepProgress::phase);
    EXPECT_EQ(lost->unit, 1U);
    EXPECT_THAT(lost->reason, ::testing::HasSubstr("made the device unusable"));
    expect_all_decided();
    EXPECT_EQ(store_.connection().value("SELECT count(*) FROM sweep WHERE status = 'failed'"), 1);
    EXPECT_EQ(store_.connection().value("SELECT count(*) FROM sweep WHERE status = 'finished'"), 2);
}

TEST_F(SeveralUnitsTest, IfAllUnitsAreLostTheSweepFails) {
    make_units(2);
    for (const auto& unit : units_) unit->loses_device = "fake(block=32, blocks_per_sm=1)";
    EXPECT_THROW(run(), DeviceError);
    EXPECT_EQ(shown(SweepProgress::Phase::unit_lost), 2);
}

TEST_F(SeveralUnitsTest, AnInterruptedSweepIsContinued) {
    make_units(2);
    units_[0]->stop = &stop_;
    units_[0]->stop_after = 5;
    EXPECT_TRUE(run().interrupted);
    EXPECT_EQ(store_.connection().value("SELECT count(*) FROM sweep WHERE status = 'interrupted'"), 2);
    stop_ = false;
    make_units(1);
    EXPECT_FALSE(run().interrupted);
    EXPECT_EQ(count("stage = 'screen'"), trials * static_cast<std::int64_t>(request_.sizes.size()))
        << "nothing was screened twice";
    expect_all_decided();
}

TEST_F(SeveralUnitsTest, SizesBetweenAreTheWorkOfOneUnitEach) {
    make_units(2);
    for (const auto& unit : units_) {
        unit->time_us = [](const Trial& trial, std::uint64_t n, Regime) {
            const double block = trial.rule.block;
            const double waves = std::ceil(static_cast<double>(n) / (block * 1024 * trial.rule.blocks_per_sm));
            return 2 + block / 300 + static_cast<double>(n) / 4e6 + 0.4 * (waves - 1);
        };
    }
    request_.between = 3;
    request_.checks = 8;
    EXPECT_FALSE(run().interrupted);
    EXPECT_TRUE(shared_sweep()->is_done());
    for (const db::StoredWinner& each : store_.winners()) {
        const bool is_requested = std::ranges::find(request_.sizes, each.n) != request_.sizes.end();
        EXPECT_EQ(each.units, is_requested ? 2U : 1U) << each.n;
    }
    EXPECT_GT(store_.winners().size(), 2 * 4 * (request_.sizes.size() - 1)) << "with sizes in the middle";
    EXPECT_EQ(store_.checked_sizes(executor_.device(), request_.problem, Regime::cold).size(), 8U);
}

TEST_F(SeveralUnitsTest, EveryUnitMeasuresAgainIfAsked) {
    make_units(2);
    run();
    const std::int64_t before = count("stage = 'final'");
    request_.resume = false;
    make_units(2);
    run();
    EXPECT_EQ(count("stage = 'screen'"), 2 * trials * static_cast<std::int64_t>(request_.sizes.size()));
    EXPECT_EQ(count("stage = 'final'"), 2 * before);
}

TEST_F(SeveralUnitsTest, UnitsWithoutUuidShareOneSearchToo) {
    make_units(2);
    for (const auto& unit : units_) unit->use_unit("");
    run();
    EXPECT_EQ(count("stage = 'screen'"), trials * static_cast<std::int64_t>(request_.sizes.size()));
    for (const std::uint64_t n : request_.sizes) EXPECT_EQ(stored_winner(n)->units, 1U);
    EXPECT_TRUE(shared_sweep()->is_done());
}

/// A unit of another model.
class OtherModel : public FakeExecutor {
  public:
    OtherModel() { other_.name = "another GPU"; }
    const DeviceInfo& device() const override { return other_; }

  private:
    DeviceInfo other_ = FakeExecutor::device();
};

TEST_F(SeveralUnitsTest, UnitsOfOneModelAreOneGroup) {
    std::vector<std::unique_ptr<Executor>> executors;
    executors.push_back(std::make_unique<UnitExecutor>("GPU-0"));
    executors.push_back(std::make_unique<OtherModel>());
    executors.push_back(std::make_unique<UnitExecutor>("GPU-1"));
    const std::vector<std::vector<std::size_t>> expected = {{0, 2}, {1}};
    EXPECT_EQ(group_by_device(executors), expected);
}

}  // namespace
}  // namespace redtune::search
