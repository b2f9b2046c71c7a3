#include "tuner/search/sampling.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "tests/search/grid_trials.h"

namespace redtune::search {
namespace {

using SamplingTest = GridTrials;

TEST_F(SamplingTest, ThePriorComesFirstThenASample) {
    const Prior prior{{name(7), 1.0}, {name(2), 1.02}, {name(5), 1.08}, {"gone(block=1)", 1.0}};
    const auto order = prior_and_sample(trials_, prior, 2, 0);
    EXPECT_EQ(order, (std::vector<std::size_t>{7, 2}));
    const auto more = prior_and_sample(trials_, prior, 2, trials_.size());
    EXPECT_EQ(std::set(more.begin(), more.end()).size(), trials_.size()) << "none twice";
    EXPECT_EQ(more.size(), trials_.size());
    EXPECT_EQ(more[0], 7U);
}

TEST_F(SamplingTest, AllTrialsAreReturnedWithThePriorFirst) {
    const auto order = all_in_prior_order(trials_, {{name(4), 1.0}});
    EXPECT_EQ(order[0], 4U);
    EXPECT_TRUE(
        std::is_permutation(order.begin(), order.end(), stratified_sample(trials_.size(), trials_.size()).begin()));
}

TEST_F(SamplingTest, AUnitMayBeginInTheMiddle) {
    const Prior prior{{name(4), 1.0}};
    const auto from_first = all_in_prior_order(trials_, prior);
    const auto from_middle = all_in_prior_order(trials_, prior, 0.5);
    EXPECT_EQ(from_middle[0], 4U);
    EXPECT_NE(from_middle[1], from_first[1]);
    EXPECT_TRUE(std::is_permutation(from_middle.begin(), from_middle.end(), from_first.begin(), from_first.end()));
}

RC_GTEST_PROP(Rotated, BeginsAtTheGivenPart, ()) {
    const auto items = *rc::gen::arbitrary<std::vector<int>>();
    const auto part = *rc::gen::inRange<std::size_t>(0, 8);
    const auto result = rotated<int>(items, static_cast<double>(part) / 8);
    const std::size_t first = items.size() * part / 8;
    RC_ASSERT(result.size() == items.size());
    for (std::size_t i = 0; i < items.size(); ++i) RC_ASSERT(result[i] == items[(first + i) % items.size()]);
}

TEST_F(SamplingTest, FamiliesWithFewTrialsAreInTheSample) {
    std::vector<Trial> trials(50, trials_[0]);
    for (int i = 0; i < 2; ++i) trials.push_back(of_family(trials_[1], "other"));
    trials.push_back(of_family(trials_[2], "third"));
    const auto order = prior_and_sample(trials, {}, 0, 1);
    const std::set<std::size_t> sample(order.begin(), order.end());
    EXPECT_EQ(sample.size(), order.size()) << "none twice";
    EXPECT_LE(sample.size(), 1 + 3 * sample_of_family);
    for (const std::size_t i : {50U, 51U, 52U}) EXPECT_TRUE(sample.contains(i)) << i;
}

RC_GTEST_PROP(StratifiedSample, TakesEvenlySpacedIndexes, ()) {
    const auto count = *rc::gen::inRange<std::size_t>(0, 3000);
    const auto size = *rc::gen::inRange<std::size_t>(1, 200);
    const auto indexes = stratified_sample(count, size);
    RC_ASSERT(std::is_sorted(indexes.begin(), indexes.end()));
    RC_ASSERT(std::adjacent_find(indexes.begin(), indexes.end()) == indexes.end());
    if (!indexes.empty()) RC_ASSERT(indexes.back() < count);
    RC_ASSERT(indexes.size() <= size);
    RC_ASSERT(indexes.size() * 2 >= std::min(count, size));
    // The distance between two indexes is at most twice the even distance, count / size.
    for (std::size_t i = 1; i < indexes.size(); ++i) {
        RC_ASSERT(indexes[i] - indexes[i - 1] <= 2 * std::max<std::size_t>(1, count / size + 1));
    }
}

TEST(StratifiedSample, MeetsEveryValueOfAPeriodicParameter) {
    for (const std::size_t period : {2U, 3U, 4U, 8U, 12U}) {
        std::set<std::size_t> met;
        for (const std::size_t i : stratified_sample(period * 100, 100)) met.insert(i % period);
        EXPECT_EQ(met.size(), period);
    }
}

}  // namespace
}  // namespace redtune::search
