#include "tuner/search/surrogate_model.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "tests/search/grid_trials.h"
#include "tuner/search/neighbours.h"

namespace redtune::search {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;

/// The trials of the grid twice: in the family "grid", and in "mesh".
class SurrogateModelTest : public GridTrials {
  protected:
    SurrogateModelTest() {
        cell_.n = 1 << 20;
        for (const char* family : {"grid", "mesh"}) {
            for (const Trial& trial : trials_) cell_.trials.push_back(of_family(trial, family));
        }
        standings_.assign(cell_.trials.size(), unscreened);
    }

    /// Screens a trial of the family "grid". Its time is the smaller, the larger its block is.
    void screen(int block, int unroll) { standings_[index(block, unroll)] = 1000.0 / block; }

    std::vector<std::size_t> lowest_bounds(std::size_t count, const std::set<std::size_t>& requested = {}) {
        std::vector<bool> is_requested(cell_.trials.size());
        for (const std::size_t i : requested) is_requested[i] = true;
        CellKnowledge knowledge{cell_, families_, prior_};
        knowledge.has_kernels = [&](std::size_t i) { return has_kernels_.contains(i); };
        SurrogateModel model(knowledge, 1);
        return model.lowest_bounds(standings_, is_requested, count);
    }

    Cell cell_;
    Prior prior_;
    std::vector<double> standings_;
    std::set<std::size_t> has_kernels_;
};

TEST_F(SurrogateModelTest, ExpectsOfATrialWhatItsLikeShowed) {
    for (const int block : {32, 64, 128, 256}) screen(block, 1);
    const std::vector<std::size_t> chosen = lowest_bounds(5);
    ASSERT_THAT(chosen, SizeIs(3)) << "three of all, which are of both families";
    EXPECT_THAT(chosen, IsSupersetOf({index(256, 2), index(256, 4)}));
}

TEST_F(SurrogateModelTest, ChoosesOneOfAFamilyThatIsExpectedToBeSlow) {
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        standings_[i + trials_.size()] = i < 4 ? 5000 : unscreened;  // mesh
    }
    for (const int block : {32, 64, 128}) screen(block, 1);
    const std::vector<std::size_t> chosen = lowest_bounds(4);
    ASSERT_THAT(chosen, SizeIs(3)) << "two of all, and one of a family that is not among them";
    EXPECT_LT(chosen[0], trials_.size());
    EXPECT_LT(chosen[1], trials_.size());
    EXPECT_GE(chosen[2], trials_.size()) << "of mesh";
}

TEST_F(SurrogateModelTest, LeavesOutWhatIsRequestedOrScreened) {
    for (const int block : {32, 64, 128, 256}) screen(block, 1);
    const std::size_t best = lowest_bounds(5).front();
    const std::vector<std::size_t> others = lowest_bounds(cell_.trials.size(), {best});
    EXPECT_THAT(others, Not(Contains(best)));
    EXPECT_TRUE(std::ranges::all_of(others, [&](std::size_t i) { return standings_[i] == unscreened; }));
}

TEST_F(SurrogateModelTest, OfTrialsThatAreAboutAsGoodThoseWithKernelsComeFirst) {
    for (const int block : {32, 64, 128, 256}) screen(block, 1);
    for (const std::size_t one : {index(256, 2), index(256, 4)}) {
        has_kernels_ = {one};
        EXPECT_EQ(lowest_bounds(5).front(), one);
    }
    has_kernels_ = {index(32, 2)};
    EXPECT_NE(lowest_bounds(5).front(), index(32, 2)) << "it is expected to be eight times slower";
}

TEST_F(SurrogateModelTest, AvoidsTheLikeOfWhatFailed) {
    for (const int unroll : {1, 2}) {
        standings_[index(256, unroll)] = failed_or_pruned;
        screen(32, unroll);
    }
    screen(128, 1);
    const std::vector<std::size_t> chosen = lowest_bounds(5);
    EXPECT_NE(chosen.front() % trials_.size(), index(256, 4));
}

}  // namespace
}  // namespace redtune::search
