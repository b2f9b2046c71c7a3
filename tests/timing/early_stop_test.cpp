#include "tuner/timing/early_stop.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "tuner/timing/constants.h"

namespace redtune::timing {
namespace {

TEST(GiveUp, NeedsABestAndEnoughSamples) {
    EXPECT_FALSE(is_hopeless(std::vector<double>(10, 100.0), 0)) << "there is no best yet";
    EXPECT_FALSE(is_hopeless(std::vector<double>(early_stop_samples - 1, 100.0), 1));
    EXPECT_TRUE(is_hopeless(std::vector<double>(early_stop_samples, 100.0), 1));
}

TEST(GiveUp, OneGoodSampleIsEnoughToGoOn) {
    EXPECT_TRUE(is_hopeless(std::vector<double>{14, 13.1, 20}, 10));
    EXPECT_FALSE(is_hopeless(std::vector<double>{14, 12.9, 20}, 10));
}

TEST(GiveUp, ASingleCallIsJudgedOnlyWhereItIsLong) {
    EXPECT_TRUE(is_hopeless_call(310, 100));
    EXPECT_FALSE(is_hopeless_call(290, 100));
    EXPECT_FALSE(is_hopeless_call(40, 2)) << "most of it may be the launch";
    EXPECT_FALSE(is_hopeless_call(310, 0));
}

// Whatever the order: who has a sample within the cutoff of the final best is timed to the end.
RC_GTEST_PROP(GiveUp, AWinnerIsNeverGivenUp, ()) {
    const auto samples = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(100, 400)));
    std::vector<double> taken(samples.begin(), samples.end());
    const double best_so_far = *rc::gen::inRange(100, 1000);
    if (*std::min_element(taken.begin(), taken.end()) <= best_so_far) RC_ASSERT(!is_hopeless(taken, best_so_far));
}

}  // namespace
}  // namespace redtune::timing
