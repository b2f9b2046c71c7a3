#include <gtest/gtest.h>

#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

/// A family with many configurations, only few of which are fast.
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

constexpr std::size_t all_wide = 128;

class EffortsTest : public SweepTest {
  protected:
    EffortsTest() {
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
        auto all = store_.measurements(executor_.device(), problem, n, regime);
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
    std::string effort(std::uint64_t n) {
        const auto found =
            store_.winner(executor_.device(), make_problem("sum", Type::f32), n, Regime::cold, Determinism::any);
        return found ? found->effort : "no winner";
    }
    /// Returns times for FakeExecutor::time_us: the configuration `which` takes 1 us in the regime `where`, every other
    /// trial takes 2 us. So the neighbours of the fast configuration do not lead to it.
    static auto only_fast(Regime where, std::string which) {
        return [where, which = std::move(which)](const Trial& trial, std::uint64_t, Regime regime) {
            return regime == where && to_string(trial.configuration) == which ? 1.0 : 2.0;
        };
    }
};

TEST_F(EffortsTest, QuickScreensAPartOfTheTrialsAndFindsOneNearTheBest) {
    const SweepResult result = quick().run({}, stop_);
    EXPECT_EQ(result.without_winner, 0U);
    for (const std::uint64_t n : {1 << 18, 1 << 19, 1 << 20}) {
        EXPECT_EQ(screened(n), most_screenings(Effort::quick));
        EXPECT_THAT(winner(n), testing::HasSubstr("block=128")) << "the best is wide(block=128, blocks_per_sm=8)";
    }
    EXPECT_EQ(result.screened, 3 * most_screenings(Effort::quick));
}

TEST_F(EffortsTest, MoreEffortContinuesAndLessEffortDoesNothing) {
    quick({1 << 18}).run({}, stop_);
    EXPECT_FALSE(sweep_of(Effort::standard, {1 << 18}).plan().is_done());
    sweep_of(Effort::standard, {1 << 18}).run({}, stop_);
    EXPECT_EQ(screened(1 << 18), most_screenings(Effort::standard));
    EXPECT_TRUE(quick({1 << 18}).plan().is_done());
    EXPECT_TRUE(sweep_of(Effort::standard, {1 << 18}).plan().is_done());
    sweep_of(Effort::thorough, {1 << 18}).run({}, stop_);
    EXPECT_EQ(screened(1 << 18), all_wide) << "there are fewer than the effort allows";
    EXPECT_EQ(effort(1 << 18), "thorough");
    EXPECT_FALSE(sweep_of(Effort::exhaustive, {1 << 18}).plan().is_done());
    EXPECT_EQ(sweep_of(Effort::exhaustive, {1 << 18}).run({}, stop_).screened, 0U) << "only finalists are timed again";
    EXPECT_EQ(effort(1 << 18), "exhaustive");
    EXPECT_TRUE(sweep_of(Effort::thorough, {1 << 18}).plan().is_done());
}

TEST_F(EffortsTest, LessEffortReplacesNoWinnerOfMore) {
    sweep_of(Effort::standard, {1 << 18}).run({}, stop_);
    const std::string best = winner(1 << 18);
    // The time of the old winner grows, so that the next searches find another one.
    executor_.time_us = [&](const Trial& trial, std::uint64_t, Regime) {
        return to_string(trial.configuration) == best ? 9.0 : 1.0 + trial.rule.block / 1e3;
    };
    std::vector<std::optional<Effort>> kept;
    const auto again = [&](Effort effort, bool replaces) {
        SweepRequest request{make_problem("sum", Type::f32), {1 << 18}, {Regime::cold}, false, "test"};
        request.effort = effort;
        request.less_effort_replaces = replaces;
        Sweep(executor_, store_, families_, request)
            .run(
                [&](const SweepProgress& progress) {
                    if (progress.phase == SweepProgress::Phase::cell_done) kept.push_back(progress.kept_effort);
                },
                stop_);
    };
    again(Effort::quick, false);
    EXPECT_EQ(winner(1 << 18), best);
    EXPECT_EQ(effort(1 << 18), "standard");
    again(Effort::standard, false);
    EXPECT_NE(winner(1 << 18), best) << "as much effort replaces";
    again(Effort::quick, true);
    EXPECT_EQ(effort(1 << 18), "quick") << "the request says so";
    EXPECT_THAT(kept, testing::ElementsAre(Effort::standard, std::nullopt, std::nullopt));
}

TEST_F(EffortsTest, LessEffortReplacesAWinnerOfOtherCodeOrToolchain) {
    sweep_of(Effort::standard, {1 << 18}).run({}, stop_);
    families_[0].code_hash = "other";
    quick({1 << 18}).run({}, stop_);
    EXPECT_EQ(effort(1 << 18), "quick");
    sweep_of(Effort::standard, {1 << 18}).run({}, stop_);
    executor_.use_driver("581");
    quick({1 << 18}).run({}, stop_);
    EXPECT_EQ(effort(1 << 18), "quick");
}

TEST_F(EffortsTest, AWinnerOfUnknownEffortCountsByItsScreenings) {
    quick({1 << 18}).run({}, stop_);
    store_.in_transaction([&] {
        db::Statement forget = store_.connection().prepare("UPDATE unit_winner SET effort = NULL");
        forget.run();
    });
    EXPECT_TRUE(quick({1 << 18}).plan().is_done());
    EXPECT_FALSE(sweep_of(Effort::standard, {1 << 18}).plan().is_done());
}

TEST_F(EffortsTest, ASecondRunDoesNothing) {
    quick().run({}, stop_);
    const std::size_t before = screened(1 << 20);
    Sweep again = quick();
    EXPECT_TRUE(again.plan().is_done());
    again.run({}, stop_);
    EXPECT_EQ(screened(1 << 20), before);
}

TEST_F(EffortsTest, AnInterruptedSweepEndsWithTheSameWinners) {
    const auto standard = [&] { return sweep_of(Effort::standard, {1 << 18, 1 << 19, 1 << 20}); };
    standard().run({}, stop_);
    const std::string expected = winner(1 << 19);
    constexpr std::size_t all = 100;  // most_screenings() of a cell
    for (const std::size_t cut : {std::size_t{1}, all / 2, all - 1, all, all + 10, 2 * all + 10}) {
        db::Store fresh = db::Store::open(folder_ / ("cut" + std::to_string(cut) + ".db"), db::Access::read_write);
        std::swap(store_, fresh);
        executor_.stop = &stop_;
        executor_.measured = 0;
        executor_.stop_after = cut;
        standard().run({}, stop_);
        stop_ = false;
        executor_.stop_after = 0;
        standard().run({}, stop_);
        EXPECT_EQ(winner(1 << 19), expected) << cut;
        EXPECT_EQ(screened(1 << 18), most_screenings(Effort::standard)) << cut;
        EXPECT_TRUE(standard().plan().is_done()) << cut;
    }
}

TEST_F(EffortsTest, CellsOfTheSameRegimeComeFirstInThePrior) {
    const std::string hidden = "wide(block=736, blocks_per_sm=4)";
    executor_.time_us = only_fast(Regime::warm, hidden);
    sweep_of(Effort::exhaustive, {1 << 18}, {Regime::warm}).run({}, stop_);
    // There are four cold cells, one more than a prior takes, and their fast configurations are far from the warm
    // winner. So a prior that preferred cold cells would not contain the warm winner.
    executor_.time_us = [&](const Trial& trial, std::uint64_t n, Regime regime) {
        const double block = trial.rule.block;
        return regime == Regime::cold ? 2 + block / 100 : only_fast(Regime::warm, hidden)(trial, n, regime);
    };
    quick({1 << 18, 1 << 19, 1 << 20, 1 << 21}, {Regime::cold, Regime::warm}).run({}, stop_);
    EXPECT_EQ(winner(1 << 19, Regime::warm), hidden);
}

TEST_F(EffortsTest, FindsABestThatMovesWithTheSize) {
    // The best block grows with the size, so the prior does not have it.
    executor_.time_us = [](const Trial& trial, std::uint64_t n, Regime) {
        return 1 + std::abs(trial.rule.block - static_cast<double>(n >> 11)) / 1000 +
               std::abs(trial.rule.blocks_per_sm - 4) / 20;
    };
    sweep_of(Effort::standard, {1 << 18, 1 << 20}).run({}, stop_);
    EXPECT_EQ(winner(1 << 18), "wide(block=128, blocks_per_sm=4)");
    EXPECT_EQ(winner(1 << 20), "wide(block=512, blocks_per_sm=4)");
}

TEST_F(EffortsTest, WhatDidWellForASimilarProblemIsScreenedFirst) {
    const std::string hidden = "wide(block=736, blocks_per_sm=4)";
    executor_.time_us = only_fast(Regime::cold, hidden);
    sweep_of(Effort::exhaustive, {1 << 18}).run({}, stop_);
    ASSERT_EQ(winner(1 << 18), hidden);
    const auto first = [&](const Problem& problem) {
        quick({1 << 18}, {Regime::cold}, problem).run({}, stop_);
        return to_string(screenings(1 << 18, Regime::cold, problem).front().configuration);
    };
    EXPECT_EQ(first(make_problem("sum", Type::i32)), hidden);
    EXPECT_NE(first(make_problem("max", Type::f64)), hidden) << "another input width and another operator";
}

TEST_F(EffortsTest, WhatLookUpsPickIsScreenedFirst) {
    const std::string hidden = "wide(block=736, blocks_per_sm=4)";
    executor_.time_us = only_fast(Regime::cold, hidden);
    db::Store elsewhere = db::Store::open(folder_ / "elsewhere.db", db::Access::read_write);
    std::swap(store_, elsewhere);
    sweep_of(Effort::exhaustive, {1 << 18}).run({}, stop_);
    std::swap(store_, elsewhere);
    const Catalog catalog = Catalog::open({.user_database = folder_ / "elsewhere.db", .system_data = folder_.path()});
    SweepRequest request{make_problem("sum", Type::f32), {1 << 20}, {Regime::cold}, true, "test"};
    request.effort = Effort::quick;
    request.catalog = &catalog;
    Sweep(executor_, store_, families_, request).run({}, stop_);
    EXPECT_EQ(to_string(screenings(1 << 20).front().configuration), hidden);
    EXPECT_EQ(winner(1 << 20), hidden);
    store_ = db::Store::open(folder_ / "empty.db", db::Access::read_write);
    quick({1 << 20}).run({}, stop_);
    EXPECT_NE(winner(1 << 20), hidden) << "nothing is known";
}

TEST_F(EffortsTest, QuickScreensLessWhereASimilarProblemWasTuned) {
    const Problem second = make_problem("sum", Type::i32);
    quick({1 << 18}).run({}, stop_);
    const std::size_t most = most_screenings(Effort::quick, true);
    ASSERT_LT(most, most_screenings(Effort::quick));
    quick({1 << 18, 1 << 19}, {Regime::cold}, second).run({}, stop_);
    EXPECT_EQ(screened(1 << 18, Regime::cold, second), most);
    EXPECT_EQ(screened(1 << 19, Regime::cold, second), most_screenings(Effort::quick)) << "nothing similar is known";
    EXPECT_TRUE(quick({1 << 18, 1 << 19}, {Regime::cold}, second).plan().is_done());
    EXPECT_TRUE(quick({1 << 18}).plan().is_done()) << "the first problem was searched with more";
}

TEST_F(EffortsTest, TimesOfChangedCodeServeOnlyAsAPrior) {
    const std::string hidden = "wide(block=736, blocks_per_sm=4)";
    executor_.time_us = only_fast(Regime::cold, hidden);
    sweep_of(Effort::exhaustive, {1 << 18}).run({}, stop_);
    families_[0].code_hash = "changed";
    Sweep again = quick({1 << 18});
    EXPECT_EQ(again.plan().stored, 0U);
    again.run({}, stop_);
    const auto all = screenings(1 << 18);
    ASSERT_GT(all.size(), all_wide);
    EXPECT_EQ(to_string(all[all_wide].configuration), hidden) << "the best of the prior is screened first";
    EXPECT_EQ(all[all_wide].code_hash, "changed");
    EXPECT_EQ(winner(1 << 18), hidden);
}

TEST_F(EffortsTest, AWinnerOfChangedCodeIsNotUpToDate) {
    std::string text = wide_front_matter;
    text.replace(text.find("wide"), 4, "slow");
    families_.push_back(parse_families("slow.cuh", text).front());
    families_.back().code_hash = "hash";
    executor_.time_us = [](const Trial& trial, std::uint64_t, Regime) {
        return trial.configuration.family == "slow" ? 2.0 : 1.0;
    };
    quick({1 << 18}).run({}, stop_);
    ASSERT_EQ(winner(1 << 18).substr(0, 4), "wide");
    families_[0].code_hash = "changed";
    const Sweep again = quick({1 << 18});
    EXPECT_GT(again.plan().stored, 0U) << "the other family has not changed";
    EXPECT_FALSE(again.plan().is_done());
}

TEST_F(EffortsTest, TrialsWithTooFewBytesInFlightArePruned) {
    std::string text = wide_front_matter;
    // With blocks_per_sm = 1 so few bytes are in flight that for n = 2^20 the lower bound is many times the microsecond
    // that every trial takes here.
    text.replace(text.find("tile = \"32\""), 11, "tile = 32\nbytes_in_flight = \"iif(blocks_per_sm = 1, 32, 65536)\"");
    families_ = parse_families("wide.cuh", text);
    families_[0].code_hash = "hash";
    executor_.time_us = [](const Trial&, std::uint64_t, Regime) { return 1.0; };
    std::size_t shown = 0;
    const SweepResult result =
        quick({1 << 20}).run([&](const SweepProgress& progress) { shown = progress.pruned; }, stop_);
    EXPECT_GT(result.pruned, 0U);
    EXPECT_EQ(shown, result.pruned);
    EXPECT_EQ(screened(1 << 20), most_screenings(Effort::quick));
    // The first trial is never pruned, because there is no best time yet to compare its lower bound with.
    const auto all = screenings(1 << 20);
    const auto may_be_slow = [](const db::StoredMeasurement& entry) {
        return to_string(*entry.configuration.find("blocks_per_sm")) == "1";
    };
    EXPECT_EQ(std::count_if(all.begin() + 1, all.end(), may_be_slow), 0);
    const std::size_t hopeful = all_wide * 3 / 4 + (may_be_slow(all.front()) ? 1 : 0);
    EXPECT_TRUE(quick({1 << 20}).plan().is_done());
    sweep_of(Effort::thorough, {1 << 20}).run({}, stop_);
    EXPECT_EQ(screened(1 << 20), hopeful) << "all that are not pruned";
    EXPECT_TRUE(sweep_of(Effort::thorough, {1 << 20}).plan().is_done());
    EXPECT_EQ(sweep_of(Effort::exhaustive, {1 << 20}).run({}, stop_).pruned, 0U);
    EXPECT_EQ(screened(1 << 20), all_wide) << "exhaustive effort prunes nothing";
}

TEST_F(EffortsTest, ASpentTimeBudgetLeavesAWinnerOfEverySize) {
    SweepRequest request{make_problem("sum", Type::f32), {1 << 18, 1 << 19, 1 << 20}, {Regime::cold}, true, "test"};
    request.budget = std::chrono::seconds(0);
    request.between = 3;
    const SweepResult result = Sweep(executor_, store_, families_, request).run({}, stop_);
    EXPECT_TRUE(result.out_of_time);
    EXPECT_FALSE(result.interrupted);
    EXPECT_EQ(result.screened, 3U) << "one of each size";
    for (const std::uint64_t n : request.sizes) EXPECT_NE(winner(n), "") << n;
    EXPECT_EQ(winner((1 << 18) + 1), "") << "there was no time for sizes between";
    EXPECT_EQ(effort(1 << 20), "") << "less than quick";
    request.budget = std::chrono::hours(1);
    Sweep more(executor_, store_, families_, request);
    EXPECT_FALSE(more.is_done());
    EXPECT_FALSE(more.run({}, stop_).out_of_time);
    EXPECT_EQ(screened(1 << 20), all_wide) << "the effort is exhaustive";
    EXPECT_EQ(effort(1 << 20), "exhaustive");
    EXPECT_NE(winner((1 << 18) + 1), "");
    EXPECT_EQ(effort((1 << 18) + 1), "") << "a size between is not searched";
}

TEST_F(EffortsTest, TheRequestMayNameAStrategy) {
    SweepRequest request{make_problem("sum", Type::f32), {1 << 20}, {Regime::cold}, true, "test"};
    request.effort = Effort::standard;
    request.strategy = StrategyKind::surrogate;
    Sweep(executor_, store_, families_, request).run({}, stop_);
    EXPECT_EQ(screened(1 << 20), most_screenings(Effort::standard));
    EXPECT_EQ(winner(1 << 20), "wide(block=128, blocks_per_sm=8)");
    request.strategy = StrategyKind::beam;
    EXPECT_TRUE(Sweep(executor_, store_, families_, request).plan().is_done());
}

}  // namespace
}  // namespace redtune::search
