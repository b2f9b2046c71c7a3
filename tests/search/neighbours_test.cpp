#include "tuner/search/neighbours.h"

#include <gtest/gtest.h>

#include "tests/search/grid_trials.h"

namespace redtune::search {
namespace {

using Names = std::set<std::string>;
using Indexes = std::vector<std::size_t>;
using Standings = std::vector<double>;

class NeighboursTest : public GridTrials {
  protected:
    NeighboursTest() {
        families_.push_back(family());
        families_.back().name = "other";
    }
    Indexes neighbours(const std::vector<Trial>& trials, const Standings& standings, std::size_t beam) const {
        return neighbours_of_best(Neighbourhood(families_, trials), standings, beam);
    }
};

TEST_F(NeighboursTest, HaveTheNextValueOfOneParameterOrOppositeStepsInTwo) {
    Standings standings(trials_.size(), unscreened);
    standings[index(128, 2)] = 5;
    // With unroll = 2 there is no block = 64, so the next smaller block is 32.
    EXPECT_EQ(names(neighbours(trials_, standings, 1)),
              (Names{"grid(block=32, unroll=2)", "grid(block=256, unroll=2)", "grid(block=128, unroll=1)",
                     "grid(block=128, unroll=4)", "grid(block=256, unroll=1)", "grid(block=64, unroll=4)"}));
    standings[index(32, 2)] = failed_or_pruned;
    standings[index(256, 2)] = 9;
    standings[index(64, 4)] = 20;
    EXPECT_EQ(names(neighbours(trials_, standings, 1)),
              (Names{"grid(block=128, unroll=1)", "grid(block=128, unroll=4)", "grid(block=256, unroll=1)"}))
        << "what was screened is not screened again";
    EXPECT_TRUE(names(neighbours(trials_, standings, 2)).contains("grid(block=256, unroll=4)"));
}

TEST_F(NeighboursTest, AreOnlyThoseOfTrialsThatHaveATime) {
    EXPECT_TRUE(neighbours(trials_, Standings(trials_.size(), failed_or_pruned), 3).empty());
    EXPECT_TRUE(neighbours(trials_, Standings(trials_.size(), unscreened), 3).empty());
}

TEST_F(NeighboursTest, AreAlsoThoseOfAnotherFamilyWhoseBestIsNearlyAsFast) {
    const std::vector<Trial> trials = {trials_[index(128, 1)], trials_[index(128, 2)],
                                       of_family(trials_[index(256, 1)], "other"),
                                       of_family(trials_[index(256, 2)], "other")};
    EXPECT_EQ(neighbours(trials, {10, unscreened, 11, unscreened}, 1), (Indexes{1, 3}));
    EXPECT_EQ(neighbours(trials, {10, unscreened, 13, unscreened}, 1), (Indexes{1}));
}

TEST_F(NeighboursTest, AreTrialsOfTheSameFamily) {
    const std::vector<Trial> trials = {trials_[index(128, 1)], of_family(trials_[index(128, 2)], "other")};
    EXPECT_TRUE(neighbours(trials, {1, unscreened}, 1).empty());
}

}  // namespace
}  // namespace redtune::search
