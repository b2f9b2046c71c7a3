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

TEST(Effort, SpareTrialsDoNotMakeItTheNextOne) {
    EXPECT_LE(2 * most_screenings(Effort::quick), most_screenings(Effort::standard));
    EXPECT_LE(2 * most_screenings(Effort::standard), most_screenings(Effort::thorough));
}

TEST(Effort, IsTheGreatestOfWhichTheScreeningsWereTaken) {
    EXPECT_EQ(effort_of(most_screenings(Effort::quick) - 1), std::nullopt);
    EXPECT_EQ(effort_of(most_screenings(Effort::quick)), Effort::quick);
    EXPECT_EQ(effort_of(most_screenings(Effort::quick, true), true), Effort::quick);
    EXPECT_EQ(effort_of(most_screenings(Effort::thorough) - 1), Effort::standard);
    EXPECT_EQ(effort_of(1'000'000), Effort::thorough);
    EXPECT_LT(stored_effort(""), stored_effort("quick"));
    EXPECT_LT(stored_effort("thorough"), stored_effort("exhaustive"));
}

TEST(FinalStages, QuickEffortMeasuresLessInEveryStage) {
    const FinalStages& quick = final_stages(Effort::quick);
    const FinalStages& others = final_stages(Effort::standard);
    EXPECT_LT(quick.survivors, others.survivors);
    EXPECT_LT(quick.finalists, others.finalists);
    EXPECT_LT(quick.finalists_on_data, others.finalists_on_data);
    EXPECT_LT(quick.rounds, others.rounds);
    EXPECT_EQ(quick.rounds % 2, 0) << "the order of the finalists alternates";
    EXPECT_EQ(final_stages(Effort::exhaustive).survivors, others.survivors);
}

}  // namespace
}  // namespace redtune::search
