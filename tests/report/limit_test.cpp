#include "tuner/report/limit.h"

#include <gtest/gtest.h>

namespace redtune::report {
namespace {

/// Returns a limit whose load takes 1.25 us and whose hand-over takes 2 us.
Limit limit(std::optional<double> one_block_us, std::optional<double> grid_us) {
    Limit made;
    made.empty_us = 0.5;
    made.load_us = 1.25;
    made.handover_us = 2;
    if (one_block_us) made.one_block = Reader{*one_block_us, ""};
    if (grid_us) made.grid = Reader{*grid_us, ""};
    return made;
}

TEST(Limit, OneBlockTakesAtLeastALoadAndTheTimeToRead) {
    EXPECT_EQ(limit(1, {}).us(), 1.25);
    EXPECT_EQ(limit(1.5, {}).us(), 1.5);
}

TEST(Limit, SeveralBlocksTakeAtLeastAHandOverAndTheTimeToRead) {
    EXPECT_EQ(limit({}, 1.5).us(), 2);
    EXPECT_EQ(limit({}, 30).us(), 30);
}

TEST(Limit, IsTheLowerOfOneBlockAndSeveral) {
    EXPECT_EQ(limit(1.5, 1.25).us(), 1.5) << "several blocks need a hand-over";
    EXPECT_EQ(limit(9, 3).us(), 3);
    EXPECT_EQ(limit(9, 1.5).us(), 2);
}

TEST(Limit, RowsNeedNoHandOver) {
    Limit rows = limit({}, 1.5);
    rows.needs_handover = false;
    EXPECT_EQ(rows.us(), 1.5);
    rows.grid->us = 1;
    EXPECT_EQ(rows.us(), 1.25);
}

}  // namespace
}  // namespace redtune::report
