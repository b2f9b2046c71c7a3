#include "redtune/match.h"

#include <gtest/gtest.h>

namespace redtune {
namespace {

TEST(Match, KindsHaveNames) {
    EXPECT_EQ(to_string(MatchKind::exact), "exact");
    EXPECT_EQ(to_string(MatchKind::between), "between");
    EXPECT_EQ(to_string(MatchKind::beyond), "beyond");
}

}  // namespace
}  // namespace redtune
