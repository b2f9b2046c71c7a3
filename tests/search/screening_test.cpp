#include "tuner/search/screening.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "db/space.h"
#include "tests/support/devices.h"
#include "tuner/search/effort.h"

namespace redtune::search {
namespace {

constexpr const char* front_matter = R"(/*redtune
family = "grid"
[compile]
block = [32, 64, 128, 256]
unroll = [1, 2, 4]
[derived]
tile = "block * unroll"
where = ["block <> 64 or unroll <> 2"]
*/)";

class ScreeningTest : public ::testing::Test {
  protected:
    ScreeningTest() {
        for (Candidate& candidate :
             db::candidates(family_, test_support::h200(), make_problem("sum", Type::f32), 1 << 20)) {
            trials_.push_back({&family_, std::move(candidate)});
        }
    }

    std::size_t place(int block, int unroll) const {
        for (std::size_t i = 0; i < trials_.size(); ++i) {
            if (name(i) == "grid(block=" + std::to_string(block) + ", unroll=" + std::to_string(unroll) + ")") return i;
        }
        throw std::logic_error("no such trial");
    }
    std::string name(std::size_t i) const { return to_string(trials_[i].candidate.configuration); }
    std::set<std::string> names(const std::vector<std::size_t>& places) const {
        std::set<std::string> result;
        for (const std::size_t i : places) result.insert(name(i));
        return result;
    }
    db::StoredMeasurement stored(std::size_t i, double us, Status status = Status::ok) const {
        db::StoredMeasurement entry;
        entry.configuration = trials_[i].candidate.configuration;
        entry.measurement.status = status;
        entry.measurement.median_us = us;
        return entry;
    }

    Family family_ = parse_families("grid.cuh", front_matter).front();
    std::vector<Trial> trials_;
};

TEST_F(ScreeningTest, PromisingIsWhatWasNearTheBestSomewhere) {
    Prior prior;
    EXPECT_TRUE(
        add_prior(prior, std::vector{stored(0, 10), stored(1, 10.5), stored(2, 12), stored(3, 1, Status::wrong)}));
    EXPECT_EQ(prior.size(), 2U);
    EXPECT_DOUBLE_EQ(prior.at(name(1)), 1.05);
    EXPECT_TRUE(add_prior(prior, std::vector{stored(1, 7), stored(2, 7.07)}));
    EXPECT_DOUBLE_EQ(prior.at(name(1)), 1) << "where it did best counts";
    EXPECT_EQ(prior.size(), 3U);
    EXPECT_FALSE(add_prior(prior, std::vector{stored(3, 1, Status::wrong)}));
    EXPECT_FALSE(add_prior(prior, {}));
}

TEST_F(ScreeningTest, TheMostPromisingComeFirstThenASample) {
    const Prior prior{{name(7), 1.0}, {name(2), 1.02}, {name(5), 1.08}, {"gone(block=1)", 1.0}};
    const auto order = promising_and_sample(trials_, prior, 2, 0);
    EXPECT_EQ(order, (std::vector<std::size_t>{7, 2}));
    const auto more = promising_and_sample(trials_, prior, 2, trials_.size());
    EXPECT_EQ(std::set(more.begin(), more.end()).size(), trials_.size()) << "nobody twice";
    EXPECT_EQ(more.size(), trials_.size());
    EXPECT_EQ(more[0], 7U);
}

TEST_F(ScreeningTest, AllAreThereTheMostPromisingFirst) {
    const auto order = all_by_prior(trials_, {{name(4), 1.0}});
    EXPECT_EQ(order[0], 4U);
    EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), spread(trials_.size(), trials_.size()).begin()));
}

TEST_F(ScreeningTest, BesideTheBestAreTheNextValuesOfEachParameterAndTrades) {
    std::vector<double> standings(trials_.size(), open);
    standings[place(128, 2)] = 5;
    // block = 64 does not exist with unroll = 2: the next that does is 32.
    EXPECT_EQ(
        names(beside_the_best(trials_, standings, 1)),
        (std::set<std::string>{"grid(block=32, unroll=2)", "grid(block=256, unroll=2)", "grid(block=128, unroll=1)",
                               "grid(block=128, unroll=4)", "grid(block=256, unroll=1)", "grid(block=64, unroll=4)"}));
    standings[place(32, 2)] = failed;
    standings[place(256, 2)] = 9;
    standings[place(64, 4)] = 20;
    EXPECT_EQ(
        names(beside_the_best(trials_, standings, 1)),
        (std::set<std::string>{"grid(block=128, unroll=1)", "grid(block=128, unroll=4)", "grid(block=256, unroll=1)"}))
        << "what was screened is not screened again";
    EXPECT_TRUE(names(beside_the_best(trials_, standings, 2)).contains("grid(block=256, unroll=4)"));
}

TEST_F(ScreeningTest, NothingIsBesideWhatFailed) {
    EXPECT_TRUE(beside_the_best(trials_, std::vector<double>(trials_.size(), failed), 3).empty());
    EXPECT_TRUE(beside_the_best(trials_, std::vector<double>(trials_.size(), open), 3).empty());
}

TEST_F(ScreeningTest, FamiliesWithFewCandidatesAreInTheSample) {
    Family other = family_;
    std::vector<Trial> trials;
    for (int i = 0; i < 50; ++i) trials.push_back(trials_[0]);
    for (int i = 0; i < 2; ++i) trials.push_back({&other, trials_[1].candidate});
    trials.push_back(trials_[2]);
    trials.back().family = nullptr;
    const auto order = promising_and_sample(trials, {}, 0, 1);
    const std::set<std::size_t> sample(order.begin(), order.end());
    EXPECT_EQ(sample.size(), order.size()) << "nobody twice";
    EXPECT_LE(sample.size(), 1 + 3 * quick_of_family);
    for (const std::size_t i : {50U, 51U, 52U}) EXPECT_TRUE(sample.contains(i)) << i;
}

TEST_F(ScreeningTest, BesideTheBestOfAFamilyThatIsNearlyAsGood) {
    Family other = family_;
    std::vector<Trial> trials = {trials_[place(128, 1)], trials_[place(128, 2)], trials_[place(256, 1)],
                                 trials_[place(256, 2)]};
    trials[2].family = trials[3].family = &other;
    EXPECT_EQ(beside_the_best(trials, std::vector<double>{10, open, 11, open}, 1), (std::vector<std::size_t>{1, 3}));
    EXPECT_EQ(beside_the_best(trials, std::vector<double>{10, open, 13, open}, 1), (std::vector<std::size_t>{1}));
}

TEST_F(ScreeningTest, OtherFamiliesAreNotBeside) {
    Family other = family_;
    std::vector<Trial> trials = {trials_[place(128, 1)], trials_[place(128, 2)]};
    trials[1].family = &other;
    EXPECT_TRUE(beside_the_best(trials, std::vector<double>{1, open}, 1).empty());
}

TEST(Nearness, TheOwnRegimeComesFirst) {
    using enum Regime;
    const auto order = by_nearness({1 << 10, 1 << 12, 1 << 14, 1 << 20}, {cold, warm}, {1 << 12, warm});
    EXPECT_EQ(order, (std::vector<CellKey>{{1 << 10, warm},
                                           {1 << 14, warm},
                                           {1 << 20, warm},
                                           {1 << 12, cold},
                                           {1 << 10, cold},
                                           {1 << 14, cold},
                                           {1 << 20, cold}}));
}

TEST(Alike, SameWidthOrSameOperatorTheMostAlikeFirst) {
    const auto problem = [](const char* op, Type type) { return make_problem(op, type); };
    Problem rows = problem("sum", Type::i32);
    rows.row_length = 32;
    Problem itself = problem("sum", Type::f32);
    itself.determinism = Determinism::run_to_run;
    const auto found = alike({problem("max", Type::f64), problem("sum", Type::f64), problem("max", Type::i32),
                              problem("max", Type::f32), problem("sum", Type::i32), rows, itself},
                             problem("sum", Type::f32));
    EXPECT_EQ(found, (std::vector<Problem>{problem("sum", Type::i32), problem("max", Type::f32),
                                           problem("max", Type::i32), problem("sum", Type::f64)}));
}

RC_GTEST_PROP(Spread, TakesAboutAsManyFromEverywhere, ()) {
    const auto count = *rc::gen::inRange<std::size_t>(0, 3000);
    const auto sample = *rc::gen::inRange<std::size_t>(1, 200);
    const auto places = spread(count, sample);
    RC_ASSERT(std::is_sorted(places.begin(), places.end()));
    RC_ASSERT(std::adjacent_find(places.begin(), places.end()) == places.end());
    if (!places.empty()) RC_ASSERT(places.back() < count);
    RC_ASSERT(places.size() <= sample);
    RC_ASSERT(places.size() * 2 >= std::min(count, sample));
    // No gap is longer than two parts.
    for (std::size_t i = 1; i < places.size(); ++i) {
        RC_ASSERT(places[i] - places[i - 1] <= 2 * std::max<std::size_t>(1, count / sample + 1));
    }
}

TEST(Spread, MeetsAllValuesOfAParameterThatTakesTurns) {
    for (const std::size_t period : {2U, 3U, 4U, 8U, 12U}) {
        std::set<std::size_t> met;
        for (const std::size_t i : spread(period * 100, 100)) met.insert(i % period);
        EXPECT_EQ(met.size(), period);
    }
}

}  // namespace
}  // namespace redtune::search
