#include "tuner/search/regression_forest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace redtune::search {
namespace {

/// Rows with the numbers 0 to 9 in the first column, and a column that says nothing.
FeatureMatrix ten_rows() {
    FeatureMatrix features;
    features.width = 2;
    for (int i = 0; i < 10; ++i) features.values.insert(features.values.end(), {double(i), double(i % 2)});
    return features;
}

RegressionForest forest(const FeatureMatrix& features, const std::vector<std::size_t>& examples,
                        const std::vector<double>& targets, std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    return {features, examples, targets, random};
}

TEST(RegressionForest, LearnsAStep) {
    const FeatureMatrix features = ten_rows();
    const RegressionForest model = forest(features, {0, 2, 4, 6, 8}, {1, 1, 1, 5, 5});
    EXPECT_NEAR(model.predict(features.row(1)).mean, 1, 1);
    EXPECT_NEAR(model.predict(features.row(7)).mean, 5, 1);
}

TEST(RegressionForest, TheDeviationIsLargestWhereTheTargetChanges) {
    const FeatureMatrix features = ten_rows();
    const RegressionForest model = forest(features, {0, 2, 4, 6, 8}, {1, 1, 1, 5, 5});
    EXPECT_GT(model.predict(features.row(5)).deviation, model.predict(features.row(1)).deviation);
    EXPECT_GT(model.predict(features.row(5)).deviation, model.predict(features.row(9)).deviation);
}

TEST(RegressionForest, TheSameSeedGivesTheSameModel) {
    const FeatureMatrix features = ten_rows();
    const auto predictions = [&](std::uint64_t seed) {
        const RegressionForest model = forest(features, {0, 3, 5, 9}, {4, 2, 7, 1}, seed);
        std::vector<double> means;
        for (std::size_t i = 0; i < 10; ++i) means.push_back(model.predict(features.row(i)).mean);
        return means;
    };
    EXPECT_EQ(predictions(1), predictions(1));
    EXPECT_NE(predictions(1), predictions(2));
}

TEST(RegressionForest, EqualRowsGiveTheirMean) {
    FeatureMatrix features;
    features.width = 1;
    features.values = {3, 3, 3};
    const RegressionForest model = forest(features, {0, 1, 2}, {1, 2, 6});
    EXPECT_DOUBLE_EQ(model.predict(features.row(0)).mean, 3);
}

RC_GTEST_PROP(RegressionForest, PredictionsLieBetweenTheTargets, ()) {
    FeatureMatrix features;
    features.width = *rc::gen::inRange<std::size_t>(1, 4);
    const auto rows = *rc::gen::inRange<std::size_t>(1, 30);
    std::vector<std::size_t> examples;
    std::vector<double> targets;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < features.width; ++k) features.values.push_back(*rc::gen::inRange(-5, 5));
        if (i == 0 || *rc::gen::arbitrary<bool>()) {
            examples.push_back(i);
            targets.push_back(*rc::gen::inRange(-100, 100));
        }
    }
    const RegressionForest model = forest(features, examples, targets);
    const auto [least, greatest] = std::ranges::minmax(targets);
    for (std::size_t i = 0; i < rows; ++i) {
        const RegressionForest::Prediction predicted = model.predict(features.row(i));
        RC_ASSERT(predicted.mean >= least - 1e-9);
        RC_ASSERT(predicted.mean <= greatest + 1e-9);
        RC_ASSERT(predicted.deviation >= 0);
    }
}

}  // namespace
}  // namespace redtune::search
