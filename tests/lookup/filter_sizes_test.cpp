#include "tuner/lookup/filter_sizes.h"

#include <gtest/gtest.h>

namespace redtune::lookup {
namespace {

TunedSizes three_sizes() {
    TunedSizes made;
    for (const std::uint64_t n : {1000, 2000, 4000}) {
        TunedSize size;
        size.n = n;
        size.of_lower_winner_us = n == 1000 ? 0 : 5;
        size.of_upper_winner_us = n == 4000 ? 0 : 6;
        made.sizes.push_back(size);
    }
    return made;
}

TEST(FilterSizes, KeepsTheTimesOfNeighboursThatStay) {
    TunedSizes tuned = three_sizes();
    LeftOut left_out;
    filter_sizes(
        tuned, [](TunedSize& size) { return size.n == 4000 ? Obstacle::finish : Obstacle::none; }, left_out);
    ASSERT_EQ(tuned.sizes.size(), 2U);
    EXPECT_EQ(tuned.sizes[0].of_upper_winner_us, 6);
    EXPECT_EQ(tuned.sizes[1].of_lower_winner_us, 5);
    EXPECT_EQ(tuned.sizes[1].of_upper_winner_us, 0) << "of a size that is gone";
    EXPECT_EQ(left_out, (LeftOut{{Obstacle::finish, 1}}));
}

TEST(FilterSizes, ASizeBetweenThatGoesLeavesNoTimesBehind) {
    TunedSizes tuned = three_sizes();
    LeftOut left_out{{Obstacle::finish, 2}};
    filter_sizes(
        tuned,
        [](TunedSize& size) {
            size.spread = 2;
            return size.n == 2000 ? Obstacle::finish : Obstacle::none;
        },
        left_out);
    ASSERT_EQ(tuned.sizes.size(), 2U);
    EXPECT_EQ(tuned.sizes[0].of_upper_winner_us + tuned.sizes[1].of_lower_winner_us, 0);
    EXPECT_EQ(tuned.sizes[1].spread, 2) << "a size may be changed";
    EXPECT_EQ(left_out, (LeftOut{{Obstacle::finish, 3}}));
}

}  // namespace
}  // namespace redtune::lookup
