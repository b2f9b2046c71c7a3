#include "tuner/timing/early_stop.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "tuner/timing/constants.h"

namespace redtune::timing {
namespace {

TEST(EarlyStop, NeedsABestAndEnoughSamples) {
    EXPECT_FALSE(is_hopeless(std::vector<double>(10, 100.0), 0)) << "there is no best yet";
    EXPECT_FALSE(is_hopeless(std::vector<double>(early_stop_samples - 1, 100.0), 1));
    EXPECT_TRUE(is_hopeless(std::vector<double>(early_stop_samples, 100.0), 1));
}

TEST(EarlyStop, OneFastSampleIsEnoughToGoOn) {
    EXPECT_TRUE(is_hopeless(std::vector<double>{14, 13.1, 20}, 10));
    EXPECT_FALSE(is_hopeless(std::vector<double>{14, 12.9, 20}, 10));
}

TEST(EarlyStop, ASingleCallIsJudgedOnlyIfItIsLong) {
    EXPECT_TRUE(is_hopeless_call(310, 100));
    EXPECT_FALSE(is_hopeless_call(290, 100));
    EXPECT_FALSE(is_hopeless_call(40, 2)) << "most of the time may be launch latency";
    EXPECT_FALSE(is_hopeless_call(310, 0));
}

TEST(EarlyStop, ACallThatWasHeldUpOnceIsMadeAgain) {
    int calls = 0;
    const auto takes = [&](double us) {
        return [&calls, us] {
            ++calls;
            return us;
        };
    };
    EXPECT_FALSE(is_hopeless_twice(108, 3, takes(7))) << "something else held up the launch";
    EXPECT_TRUE(is_hopeless_twice(310, 100, takes(305)));
    EXPECT_EQ(calls, 2);
    EXPECT_FALSE(is_hopeless_twice(290, 100, takes(310)));
    EXPECT_EQ(calls, 2) << "the first call was short";
}

// A candidate that is faster than the best so far must be timed to the end, in whatever order candidates are screened.
RC_GTEST_PROP(EarlyStop, AWinnerIsNeverStopped, ()) {
    const auto samples = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(100, 400)));
    std::vector<double> taken(samples.begin(), samples.end());
    const double best_so_far = *rc::gen::inRange(100, 1000);
    if (*std::min_element(taken.begin(), taken.end()) <= best_so_far) RC_ASSERT(!is_hopeless(taken, best_so_far));
}

}  // namespace
}  // namespace redtune::timing
