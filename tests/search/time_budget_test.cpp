#include "tuner/search/time_budget.h"

#include <gtest/gtest.h>

namespace redtune::search {
namespace {

using namespace std::chrono_literals;
using Clock = TimeBudget::Clock;

TEST(TimeBudget, WithoutALimitItNeverEnds) {
    const TimeBudget budget;
    EXPECT_FALSE(budget.is_spent());
    EXPECT_EQ(budget.end_of_screening(1), std::nullopt);
}

TEST(TimeBudget, CellsShareTheTime) {
    const TimeBudget budget(1h);
    EXPECT_FALSE(budget.is_spent());
    const Clock::time_point now = Clock::now();
    EXPECT_LE(*budget.end_of_screening(10), now + 6min);
    EXPECT_GT(*budget.end_of_screening(10), now + 1min);
    EXPECT_LT(*budget.end_of_screening(10), *budget.end_of_screening(2));
    EXPECT_LT(*budget.end_of_screening(1), now + 1h) << "the last cell needs time to compare its best trials";
}

TEST(TimeBudget, ASpentBudgetLeavesNoTimeForScreening) {
    const TimeBudget budget(0s);
    EXPECT_TRUE(budget.is_spent());
    const Clock::time_point end = *budget.end_of_screening(3);
    EXPECT_LE(end, Clock::now());
}

}  // namespace
}  // namespace redtune::search
