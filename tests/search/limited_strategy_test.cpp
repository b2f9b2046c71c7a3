#include "tuner/search/limited_strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/search/grid_trials.h"

namespace redtune::search {
namespace {

class LimitedStrategyTest : public GridTrials {
  protected:
    LimitedStrategyTest() { cell_.trials = trials_; }

    LimitedStrategy limited(std::size_t most) const {
        return {make_strategy(StrategyKind::exhaustive, {cell_, families_, prior_}, 0), most};
    }
    static Measurement ok() {
        Measurement measurement;
        measurement.samples_us = {1};
        summarise(measurement);
        return measurement;
    }

    Cell cell_;
    Prior prior_;
};

TEST_F(LimitedStrategyTest, EndsAfterTheLimit) {
    LimitedStrategy strategy = limited(3);
    const std::vector<std::size_t> batch = strategy.next();
    ASSERT_EQ(batch.size(), 3U);
    for (const std::size_t i : batch) strategy.tell(i, ok());
    EXPECT_TRUE(strategy.next().empty());
}

TEST_F(LimitedStrategyTest, EarlierScreeningsCountAndPrunedTrialsDoNot) {
    LimitedStrategy strategy = limited(3);
    strategy.tell(0, ok());
    strategy.tell_pruned(1);
    EXPECT_EQ(strategy.next().size(), 2U);
    EXPECT_TRUE(limited(0).next().empty());
}

TEST_F(LimitedStrategyTest, WhatWasCutOffComesNextIfTrialsArePruned) {
    prior_ = {{name(7), 1.0}, {name(3), 1.1}, {name(5), 1.2}};
    LimitedStrategy strategy(make_strategy(StrategyKind::evolutionary, {cell_, families_, prior_}, 0), 2);
    EXPECT_EQ(strategy.next(), (std::vector<std::size_t>{7, 3}));
    strategy.tell(7, ok());
    strategy.tell_pruned(3);
    EXPECT_EQ(strategy.next(), std::vector<std::size_t>{5});
    strategy.tell(5, ok());
    EXPECT_TRUE(strategy.next().empty());
}

TEST_F(LimitedStrategyTest, WhatIsScreenedAlreadyCountsOnceIfTheStrategyAsksForIt) {
    LimitedStrategy strategy = limited(4);
    const std::size_t first = limited(1).next().front();
    strategy.tell(first, ok());
    std::set<std::size_t> screened{first};
    for (std::vector<std::size_t> batch = strategy.next(); !batch.empty(); batch = strategy.next()) {
        for (const std::size_t trial : batch) {
            if (screened.insert(trial).second) strategy.tell(trial, ok());
        }
    }
    EXPECT_EQ(screened.size(), 4U);
}

TEST_F(LimitedStrategyTest, TwoSpareTrialsCountAsOne) {
    for (int i = 0; i < 9; ++i) cell_.trials.insert(cell_.trials.end(), trials_.begin(), trials_.end());
    LimitedStrategy strategy(make_strategy(StrategyKind::evolutionary, {cell_, families_, prior_}, 0), 40);
    std::set<std::size_t> asked;
    const auto tell = [&](std::size_t trial) {
        asked.insert(trial);
        strategy.tell(trial, ok());
    };
    const std::vector<std::size_t> batch = strategy.next();
    for (const std::size_t trial : batch) tell(trial);
    const std::size_t spares = 2 * (40 - batch.size()) - 2;
    for (std::size_t i = 0; i < spares; ++i) {
        const auto spare = strategy.spare([&](std::size_t trial) { return !asked.contains(trial); });
        ASSERT_TRUE(spare.has_value());
        tell(*spare);
    }
    EXPECT_EQ(strategy.next().size(), 1U);
}

TEST_F(LimitedStrategyTest, IsOverWhenTheLimitIsReachedThoughTheBatchIsNot) {
    for (int i = 0; i < 9; ++i) cell_.trials.insert(cell_.trials.end(), trials_.begin(), trials_.end());
    LimitedStrategy strategy(make_strategy(StrategyKind::evolutionary, {cell_, families_, prior_}, 0), 18);
    const std::vector<std::size_t> batch = strategy.next();
    ASSERT_EQ(batch.size(), 16U);
    for (std::size_t i = 0; i < 14; ++i) strategy.tell(batch[i], ok());
    EXPECT_FALSE(strategy.is_over());
    std::set<std::size_t> spares;
    const auto is_ready = [&](std::size_t trial) {
        return std::ranges::find(batch, trial) == batch.end() && !spares.contains(trial);
    };
    while (const auto spare = strategy.spare(is_ready)) spares.insert(*spare);
    EXPECT_EQ(spares.size(), 8U);
    EXPECT_TRUE(strategy.is_over());
    EXPECT_TRUE(strategy.next().empty());
}

TEST_F(LimitedStrategyTest, SpareTrialsAloneAreNoSearch) {
    for (int i = 0; i < 9; ++i) cell_.trials.insert(cell_.trials.end(), trials_.begin(), trials_.end());
    LimitedStrategy strategy(make_strategy(StrategyKind::evolutionary, {cell_, families_, prior_}, 0), 18);
    const std::vector<std::size_t> batch = strategy.next();
    for (std::size_t i = 0; i < 13; ++i) strategy.tell(batch[i], ok());
    std::set<std::size_t> spares;
    while (const auto spare = strategy.spare([&](std::size_t trial) { return !spares.contains(trial); })) {
        spares.insert(*spare);
    }
    EXPECT_EQ(spares.size(), 10U);
    EXPECT_FALSE(strategy.is_over());
    strategy.tell(batch[13], ok());
    EXPECT_TRUE(strategy.is_over());
}

TEST_F(LimitedStrategyTest, AnExhaustiveSearchIsNeverOverBeforeItsBatchIs) {
    LimitedStrategy strategy = limited(no_limit);
    for (const std::size_t trial : strategy.next()) strategy.tell(trial, ok());
    EXPECT_FALSE(strategy.is_over());
}

TEST_F(LimitedStrategyTest, AllowsPruningAsTheOtherStrategyDoes) {
    EXPECT_FALSE(limited(3).allows_pruning()) << "an exhaustive strategy";
    EXPECT_TRUE(make_strategy(Effort::quick, {cell_, families_, prior_})->allows_pruning());
    auto evolutionary = make_strategy(StrategyKind::evolutionary, {cell_, families_, prior_}, 0);
    EXPECT_FALSE(LimitedStrategy(std::move(evolutionary), no_limit).allows_pruning()) << "exhaustive effort";
}

}  // namespace
}  // namespace redtune::search
