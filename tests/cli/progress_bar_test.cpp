#include "tuner/cli/progress_bar.h"

#include <gtest/gtest.h>

#include <limits>

namespace redtune::cli {
namespace {

TEST(ProgressBar, FillsFromTheLeftInEighths) {
    EXPECT_EQ(progress_bar(0, 4, false), "░░░░");
    EXPECT_EQ(progress_bar(1.0 / 32, 4, false), "▏░░░");
    EXPECT_EQ(progress_bar(0.25, 4, false), "█░░░");
    EXPECT_EQ(progress_bar(0.375, 4, false), "█▌░░");
    EXPECT_EQ(progress_bar(0.99, 4, false), "███▉");
    EXPECT_EQ(progress_bar(1, 4, false), "████");
}

TEST(ProgressBar, HasAFormInAscii) {
    EXPECT_EQ(progress_bar(0, 6, true), "[....]");
    EXPECT_EQ(progress_bar(0.5, 6, true), "[##..]");
    EXPECT_EQ(progress_bar(1, 6, true), "[####]");
    EXPECT_EQ(progress_bar(0.5, 0, true), "[]");
}

TEST(ProgressBar, TakesWhatIsNoShareForTheNearestOne) {
    EXPECT_EQ(progress_bar(-1, 2, false), "░░");
    EXPECT_EQ(progress_bar(7, 2, false), "██");
    EXPECT_EQ(progress_bar(std::numeric_limits<double>::quiet_NaN(), 2, false), "░░");
    EXPECT_EQ(progress_bar(0.5, 0, false), "");
}

}  // namespace
}  // namespace redtune::cli
