#include "tuner/search/strategy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "tests/search/grid_trials.h"
#include "tuner/search/sampling.h"

namespace redtune::search {
namespace {

class StrategyTest : public GridTrials {
  protected:
    StrategyTest() { cell_.trials = trials_; }
    std::unique_ptr<Strategy> beam() const { return make_strategy(StrategyKind::beam, {cell_, families_, prior_}, 0); }
    static Measurement screening(double us) {
        Measurement measurement;
        measurement.samples_us = {us};
        summarise(measurement);
        return measurement;
    }
    /// Tells the strategy the same time for every trial of a batch.
    static void tell(Strategy& strategy, const std::vector<std::size_t>& batch, double us) {
        for (const std::size_t i : batch) strategy.tell(i, screening(us));
    }

    Cell cell_;
    Prior prior_;
};

TEST_F(StrategyTest, ExhaustiveAsksForEveryTrialOnceWithThePriorFirst) {
    prior_ = {{name(5), 1.0}};
    const auto exhaustive = make_strategy(Effort::exhaustive, {cell_, families_, prior_});
    EXPECT_EQ(exhaustive->next(), all_in_prior_order(trials_, prior_));
    EXPECT_TRUE(exhaustive->next().empty());
    EXPECT_FALSE(exhaustive->allows_pruning());
}

TEST_F(StrategyTest, ExhaustiveAsksForManyTrialsInBatches) {
    for (int i = 0; i < 200; ++i) cell_.trials.insert(cell_.trials.end(), trials_.begin(), trials_.end());
    const auto exhaustive = make_strategy(Effort::exhaustive, {cell_, families_, prior_});
    std::vector<std::size_t> asked;
    std::size_t batches = 0;
    for (auto batch = exhaustive->next(); !batch.empty(); batch = exhaustive->next(), ++batches) {
        asked.insert(asked.end(), batch.begin(), batch.end());
    }
    EXPECT_GT(batches, 1U);
    EXPECT_EQ(asked, all_in_prior_order(cell_.trials, prior_));
}

TEST_F(StrategyTest, ExhaustiveSparesTheFirstReadyTrialOfItsLaterBatches) {
    for (int i = 0; i < 200; ++i) cell_.trials.insert(cell_.trials.end(), trials_.begin(), trials_.end());
    const std::vector<std::size_t> order = all_in_prior_order(cell_.trials, prior_);
    const auto exhaustive = make_strategy(StrategyKind::exhaustive, {cell_, families_, prior_}, 0);
    const std::size_t batch = exhaustive->next().size();
    const std::set<std::size_t> ready{order[0], order[batch + 3], order[batch + 5]};
    EXPECT_EQ(exhaustive->spare([&](std::size_t i) { return ready.contains(i); }), order[batch + 3]);
    EXPECT_EQ(exhaustive->spare([](std::size_t) { return false; }), std::nullopt);
}

/// A cell with so many trials that a sample has only some of them.
class BeamStrategyTest : public StrategyTest {
  protected:
    BeamStrategyTest() {
        families_ = parse_families("line.cuh", R"(/*redtune
family = "line"
[compile]
block = [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512,
         544, 576, 608, 640, 672, 704, 736, 768, 800, 832, 864, 896, 928, 960, 992, 1024]
unroll = [1, 2, 3, 4]
[derived]
tile = "block"
*/)");
        cell_.trials.clear();
        for (const Candidate& candidate :
             db::candidates(family(), test_support::h200(), make_problem("sum", Type::f32), 1 << 20)) {
            cell_.trials.push_back(candidate);
        }
        prior_ = {{"line(block=512, unroll=2)", 1.0}};
    }
    std::size_t find(const std::string& text) const {
        const auto found = std::find_if(cell_.trials.begin(), cell_.trials.end(),
                                        [&](const Trial& trial) { return to_string(trial.configuration) == text; });
        return static_cast<std::size_t>(found - cell_.trials.begin());
    }
    std::size_t best() const { return find("line(block=512, unroll=2)"); }
};

TEST_F(BeamStrategyTest, SearchesNeighboursOfTheBestAsLongAsItImproves) {
    const auto searched = beam();
    const auto first = searched->next();
    EXPECT_EQ(first.front(), best());
    EXPECT_LT(first.size(), cell_.trials.size() / 4);
    tell(*searched, first, 20);
    searched->tell(best(), screening(10));
    const auto neighbours = searched->next();
    EXPECT_TRUE(std::count(neighbours.begin(), neighbours.end(), find("line(block=544, unroll=2)")));
    for (const std::size_t i : neighbours) EXPECT_FALSE(std::count(first.begin(), first.end(), i)) << i;
    tell(*searched, neighbours, 9);
    const auto more = searched->next();
    EXPECT_FALSE(more.empty()) << "the best has improved";
    tell(*searched, more, 9);
    EXPECT_TRUE(searched->next().empty()) << "it has not improved any more";
}

TEST_F(BeamStrategyTest, DoesNotAskForATrialWhoseResultItWasToldBefore) {
    const auto searched = beam();
    const std::size_t stored = find("line(block=544, unroll=2)");
    const std::size_t pruned = find("line(block=480, unroll=2)");
    searched->tell(stored, screening(30));
    tell(*searched, searched->next(), 20);
    searched->tell(best(), screening(10));
    searched->tell_pruned(pruned);
    const auto neighbours = searched->next();
    EXPECT_FALSE(neighbours.empty());
    EXPECT_FALSE(std::count(neighbours.begin(), neighbours.end(), stored));
    EXPECT_FALSE(std::count(neighbours.begin(), neighbours.end(), pruned));
}

TEST_F(BeamStrategyTest, EndsIfAllTrialsFailed) {
    const auto searched = beam();
    Measurement wrong;
    wrong.status = Status::wrong;
    for (const std::size_t i : searched->next()) searched->tell(i, wrong);
    EXPECT_TRUE(searched->next().empty());
}

RC_GTEST_FIXTURE_PROP(BeamStrategyTest, AsksForNoTrialTwiceAndEnds, ()) {
    if (*rc::gen::arbitrary<bool>()) prior_.clear();
    const auto searched = beam();
    std::set<std::size_t> asked;
    for (auto batch = searched->next(); !batch.empty(); batch = searched->next()) {
        for (const std::size_t i : batch) {
            RC_ASSERT(i < cell_.trials.size());
            RC_ASSERT(asked.insert(i).second);
            Measurement measurement = screening(*rc::gen::inRange(10, 1000));
            if (*rc::gen::inRange(0, 10) == 0) measurement.status = Status::wrong;
            searched->tell(i, measurement);
        }
    }
    RC_ASSERT(!asked.empty());
}

}  // namespace
}  // namespace redtune::search
