#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "redtune/error.h"
#include "tests/search/grid_trials.h"
#include "tuner/search/strategy.h"

namespace redtune::search {
namespace {

/// A cell whose trials have any times, or fail.
class RandomStrategies : public GridTrials {
  protected:
    RandomStrategies() {
        cell_.trials = trials_;
        for (std::size_t i = 0; i < trials_.size(); ++i) times_us_[i] = 10;
    }

    std::unique_ptr<Strategy> strategy(StrategyKind kind, std::uint64_t seed = 1) const {
        return make_strategy(kind, {cell_, families_, prior_}, seed);
    }

    /// Screens whatever a strategy asks for.
    /// @return the trials in the order of the requests
    std::vector<std::size_t> search_with(Strategy& strategy) const {
        std::vector<std::size_t> asked;
        for (auto batch = strategy.next(); !batch.empty(); batch = strategy.next()) {
            for (const std::size_t i : batch) {
                asked.push_back(i);
                if (asked.size() > trials_.size()) return asked;
                strategy.tell(i, screening_of(i));
            }
        }
        return asked;
    }
    Measurement screening_of(std::size_t i) const {
        Measurement measurement;
        if (times_us_.at(i) < 0) {
            measurement.status = Status::wrong;
        } else {
            measurement.samples_us = {times_us_.at(i)};
            summarise(measurement);
        }
        return measurement;
    }

    /// Adds 64 trials of another family.
    void add_large_family() {
        constexpr const char* front_matter = R"(/*redtune
family = "large"
[compile]
block = [32, 64, 96, 128, 160, 192, 224, 256]
unroll = [1, 2, 3, 4, 5, 6, 7, 8]
[derived]
tile = "block * unroll"
*/)";
        families_.push_back(parse_families("large.cuh", front_matter).front());
        for (const Candidate& candidate :
             db::candidates(families_.back(), test_support::h200(), make_problem("sum", Type::f32), 1 << 20)) {
            times_us_[cell_.trials.size()] = 10;
            cell_.trials.push_back(candidate);
        }
    }

    Cell cell_;
    Prior prior_;
    std::map<std::size_t, double> times_us_;  ///< of each trial; below 0: it fails
};

constexpr StrategyKind random_kinds[] = {StrategyKind::random, StrategyKind::local, StrategyKind::evolutionary,
                                         StrategyKind::surrogate};

RC_GTEST_FIXTURE_PROP(RandomStrategies, AskForEveryTrialOnceAndEnd, ()) {
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        times_us_[i] = *rc::gen::inRange(0, 5) == 0 ? -1 : *rc::gen::inRange(1, 1000);
        if (*rc::gen::inRange(0, 4) == 0) prior_[name(i)] = 1;
    }
    const auto kind = *rc::gen::elementOf(std::vector<StrategyKind>(std::begin(random_kinds), std::end(random_kinds)));
    const auto searched = strategy(kind, *rc::gen::arbitrary<std::uint64_t>());
    const std::vector<std::size_t> asked = search_with(*searched);
    RC_ASSERT(asked.size() == trials_.size());
    RC_ASSERT(std::set<std::size_t>(asked.begin(), asked.end()).size() == trials_.size());
}

TEST_F(RandomStrategies, DoTheSameForTheSameSeedOnly) {
    for (const StrategyKind kind : random_kinds) {
        std::set<std::vector<std::size_t>> orders;
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
            const std::vector<std::size_t> order = search_with(*strategy(kind, seed));
            EXPECT_EQ(search_with(*strategy(kind, seed)), order) << strategy_name(kind);
            orders.insert(order);
        }
        EXPECT_GT(orders.size(), 1U) << strategy_name(kind);
        EXPECT_TRUE(is_random(kind));
    }
}

TEST_F(RandomStrategies, DoNotAskForWhatTheyWereToldBefore) {
    for (const StrategyKind kind : {StrategyKind::local, StrategyKind::evolutionary, StrategyKind::surrogate}) {
        const auto searched = strategy(kind);
        searched->tell(0, screening_of(0));
        searched->tell_pruned(1);
        const std::vector<std::size_t> asked = search_with(*searched);
        EXPECT_EQ(asked.size(), trials_.size() - 2) << strategy_name(kind);
        EXPECT_EQ(std::count(asked.begin(), asked.end(), 0) + std::count(asked.begin(), asked.end(), 1), 0);
    }
}

TEST_F(RandomStrategies, LocalSearchClimbsFromTheBestOfThePrior) {
    prior_ = {{name(index(32, 1)), 1.05}, {name(index(256, 4)), 1.0}};
    times_us_[index(256, 4)] = 9;
    times_us_[index(128, 4)] = 8;
    const auto local = strategy(StrategyKind::local);
    EXPECT_EQ(local->next(), std::vector<std::size_t>{index(256, 4)});
    local->tell(index(256, 4), screening_of(index(256, 4)));
    const std::vector<std::size_t> first = local->next();
    EXPECT_EQ(names(first), (std::set<std::string>{name(index(128, 4)), name(index(256, 2))}));
    for (const std::size_t i : first) local->tell(i, screening_of(i));
    const std::vector<std::size_t> second = local->next();
    EXPECT_TRUE(names(second).contains(name(index(64, 4)))) << "a neighbour of the faster one";
    for (const std::size_t i : second) local->tell(i, screening_of(i));
    EXPECT_EQ(local->next(), std::vector<std::size_t>{index(32, 1)}) << "no neighbour is faster: the next start";
}

TEST_F(RandomStrategies, EvolutionBeginsWithThePrior) {
    prior_ = {{name(7), 1.0}, {name(3), 1.1}};
    const std::vector<std::size_t> first = strategy(StrategyKind::evolutionary)->next();
    ASSERT_GE(first.size(), 2U);
    EXPECT_EQ(first[0], 7U);
    EXPECT_EQ(first[1], 3U);
}

TEST_F(RandomStrategies, EvolutionBeginsWithThePriorAndWithLikelyTrials) {
    prior_ = {{name(7), 1.0}, {name(3), 1.1}};
    const auto evolution = make_strategy(StrategyKind::evolutionary, {cell_, families_, prior_, {5, 3, 1}}, 1);
    const std::vector<std::size_t> first = evolution->next();
    ASSERT_GE(first.size(), 4U);
    EXPECT_EQ(std::vector(first.begin(), first.begin() + 4), (std::vector<std::size_t>{7, 3, 5, 1}));
}

/// Without the model, all descendants of the first generation are of its family until no trial of it is left.
TEST_F(RandomStrategies, EvolutionBeginsWithWhatLookUpsPick) {
    prior_[to_string(trials_[3].configuration)] = 1;
    const auto evolution = make_strategy(StrategyKind::evolutionary, {cell_, families_, prior_, {5, 9}, {9, 7}}, 1);
    const std::vector<std::size_t> first = evolution->next();
    ASSERT_GE(first.size(), 4U);
    EXPECT_EQ(std::vector(first.begin(), first.begin() + 4), (std::vector<std::size_t>{9, 7, 3, 5}));
}

TEST_F(RandomStrategies, EvolutionTriesAFamilyThatTheFirstGenerationLacks) {
    add_large_family();
    // Each fourth one, so that there are neighbours and crossings that the first generation lacks.
    for (std::size_t i = trials_.size(); i < cell_.trials.size(); i += 4) {
        prior_[to_string(cell_.trials[i].configuration)] = 1;
    }
    const auto evolution = strategy(StrategyKind::evolutionary);
    for (int generation = 0; generation < 2; ++generation) {
        const std::vector<std::size_t> batch = evolution->next();
        const bool has_other = std::ranges::any_of(batch, [&](std::size_t i) { return i < trials_.size(); });
        EXPECT_EQ(has_other, generation == 1) << "in generation " << generation;
        for (const std::size_t i : batch) evolution->tell(i, screening_of(i));
    }
}

RC_GTEST_FIXTURE_PROP(RandomStrategies, EvolutionNeverAsksForASpareTrialAgain, ()) {
    for (std::size_t i = 0; i < trials_.size(); ++i) times_us_[i] = *rc::gen::inRange(1, 1000);
    const auto evolution = strategy(StrategyKind::evolutionary, *rc::gen::arbitrary<std::uint64_t>());
    const auto ready = *rc::gen::container<std::vector<bool>>(trials_.size(), rc::gen::arbitrary<bool>());
    std::multiset<std::size_t> asked;
    for (auto batch = evolution->next(); !batch.empty(); batch = evolution->next()) {
        for (auto spare = evolution->spare([&](std::size_t i) { return ready[i]; }); spare;
             spare = evolution->spare([&](std::size_t i) { return ready[i]; })) {
            RC_ASSERT(ready[*spare]);
            batch.push_back(*spare);
        }
        for (const std::size_t i : batch) {
            asked.insert(i);
            evolution->tell(i, screening_of(i));
        }
    }
    for (std::size_t i = 0; i < trials_.size(); ++i) RC_ASSERT(asked.count(i) == 1U);
}

TEST_F(RandomStrategies, EvolutionSparesNeighboursOfTheFastestTrial) {
    const auto evolution = strategy(StrategyKind::evolutionary);
    const auto all = [](std::size_t) { return true; };
    EXPECT_EQ(evolution->spare(all), std::nullopt) << "no trial has a time";
    times_us_[index(32, 4)] = 1;
    evolution->tell(index(32, 4), screening_of(index(32, 4)));
    evolution->tell(index(256, 1), screening_of(index(256, 1)));
    const auto is_ready = [&](std::size_t i) { return i == index(32, 2) || i == index(256, 2); };
    EXPECT_EQ(evolution->spare(is_ready), index(32, 2));
    EXPECT_EQ(evolution->spare(is_ready), index(256, 2)) << "a neighbour of the second fastest";
    EXPECT_EQ(evolution->spare(is_ready), std::nullopt);
}

TEST_F(RandomStrategies, EvolutionPrefersNeighboursWhoseKernelsNeedNoCompiler) {
    add_large_family();
    const auto is_odd = [](std::size_t i) { return i % 2 == 1; };
    const auto odd_ones_in_second_generation = [&](const std::function<bool(std::size_t)>& has_kernels) {
        std::ptrdiff_t odd = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            CellKnowledge knowledge{cell_, families_, prior_};
            knowledge.has_kernels = has_kernels;
            const auto evolution = make_strategy(StrategyKind::evolutionary, knowledge, seed);
            for (const std::size_t i : evolution->next()) evolution->tell(i, screening_of(i));
            odd += std::ranges::count_if(evolution->next(), is_odd);
        }
        return odd;
    };
    EXPECT_GT(odd_ones_in_second_generation(is_odd), odd_ones_in_second_generation([](std::size_t) { return false; }));
}

TEST_F(RandomStrategies, HaveNames) {
    for (const std::string& each : strategy_names()) EXPECT_EQ(strategy_name(parse_strategy(each)), each);
    EXPECT_THROW(parse_strategy("annealing"), InputError);
}

}  // namespace
}  // namespace redtune::search
