#include "tuner/timing/placement.h"

#include <gtest/gtest.h>

#include <vector>

namespace redtune::timing {
namespace {

// Load latencies in cycles, like those measured on an H200.
const std::vector<std::uint32_t> cycles = {495, 467, 310, 462, 433, 304, 307, 302, 466, 301, 490};

TEST(Placement, OneGranuleIsTheNearest) {
    EXPECT_EQ(nearest_start(cycles, 1), 9U);
}

TEST(Placement, SeveralGranulesAreNearInTotal) {
    EXPECT_EQ(nearest_start(cycles, 2), 6U);
    EXPECT_EQ(nearest_start(cycles, 3), 5U);
}

TEST(Placement, TheFirstOfEquallyNearGranulesIsChosen) {
    EXPECT_EQ(nearest_start(std::vector<std::uint32_t>(9, 300), 4), 0U);
}

TEST(Placement, WithTooFewGranulesTheFirstIsChosen) {
    EXPECT_EQ(nearest_start(std::vector<std::uint32_t>{300, 200}, 3), 0U);
    EXPECT_EQ(nearest_start({}, 2), 0U);
}

}  // namespace
}  // namespace redtune::timing
