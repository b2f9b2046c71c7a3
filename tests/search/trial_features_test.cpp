#include "tuner/search/trial_features.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/search/grid_trials.h"

namespace redtune::search {
namespace {

class TrialFeatures : public GridTrials {
  protected:
    static std::vector<double> row(const FeatureMatrix& features, std::size_t i) {
        const auto values = features.row(i);
        return {values.begin(), values.end()};
    }
};

TEST_F(TrialFeatures, DescribeAConfigurationByNumbers) {
    const std::size_t i = index(128, 4);
    const FeatureMatrix features = features_of(trials_, 1 << 20, {{name(i), 1.03}});
    const double block = std::log2(129);
    const double tile = std::log2(513);
    const double tiles = std::log2(1 + (1 << 20) / 512);
    EXPECT_EQ(row(features, i), (std::vector<double>{1, block, std::log2(5), block, tile, 0, tiles, 1, 1.03}));
}

TEST_F(TrialFeatures, SayHowMuchOfTheTilesIsUsed) {
    const FeatureMatrix features = features_of(trials_, 96, {});
    const std::size_t fill = features.width - 2;
    EXPECT_EQ(features.row(index(32, 1))[fill], 1);
    EXPECT_EQ(features.row(index(128, 1))[fill], 0.75);
}

TEST_F(TrialFeatures, AParameterThatAFamilyDoesNotHaveIsMissing) {
    std::vector<Trial> trials = {trials_[0], of_family(trials_[0], "other")};
    trials[1].configuration.parameters = {{"finish", Value("publish")}};
    const FeatureMatrix features = features_of(trials, 1 << 20, {});
    ASSERT_EQ(features.width, 2 + 3 + 6U) << "families, parameters, and what else there is";
    EXPECT_EQ(row(features, 0)[3], -1) << "finish";
    EXPECT_EQ(row(features, 1)[2], -1) << "block";
    EXPECT_EQ(row(features, 1)[3], 0) << "the only name";
    EXPECT_EQ(row(features, 1)[4], -1) << "unroll";
}

TEST_F(TrialFeatures, NoTrialsHaveNoFeatures) {
    EXPECT_EQ(features_of({}, 1, {}).width, 0U);
}

}  // namespace
}  // namespace redtune::search
