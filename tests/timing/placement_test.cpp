#include "tuner/timing/placement.h"

#include <gtest/gtest.h>

#include <vector>

namespace redtune::timing {
namespace {

// As an H200 has them.
const std::vector<std::uint32_t> cycles = {495, 467, 310, 462, 433, 304, 307, 302, 466, 301, 490};

TEST(Placement, IsTheNearestGranule) {
    EXPECT_EQ(nearest_start(cycles, 1), 9U);
}

TEST(Placement, IsWhereAllThatAreWantedAreNear) {
    EXPECT_EQ(nearest_start(cycles, 2), 6U);
    EXPECT_EQ(nearest_start(cycles, 3), 5U);
}

TEST(Placement, IsTheFirstOfEquals) {
    EXPECT_EQ(nearest_start(std::vector<std::uint32_t>(9, 300), 4), 0U);
}

TEST(Placement, IsTheStartWhereThereIsNoChoice) {
    EXPECT_EQ(nearest_start(std::vector<std::uint32_t>{300, 200}, 3), 0U);
    EXPECT_EQ(nearest_start({}, 2), 0U);
}

}  // namespace
}  // namespace redtune::timing
