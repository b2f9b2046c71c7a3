#include "tuner/search/effort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"

namespace redtune::search {
namespace {

TEST(Effort, UnknownNamesAreRefusedWithTheAllowedOnes) {
    EXPECT_EQ(parse_effort("quick"), Effort::quick);
    EXPECT_EQ(parse_effort("exhaustive"), Effort::exhaustive);
    EXPECT_THAT([] { parse_effort("lazy"); }, ::testing::ThrowsMessage<InputError>(::testing::HasSubstr(
                                                  "allowed are quick, standard, thorough, exhaustive")));
}

TEST(Effort, MoreEffortScreensMore) {
    EXPECT_LT(most_screenings(Effort::quick), most_screenings(Effort::standard));
    EXPECT_LT(most_screenings(Effort::standard), most_screenings(Effort::thorough));
    EXPECT_LT(most_screenings(Effort::thorough), most_screenings(Effort::exhaustive));
}

}  // namespace
}  // namespace redtune::search
