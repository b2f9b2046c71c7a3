#include "tuner/search/prior.h"

#include <gtest/gtest.h>

#include "tests/search/grid_trials.h"

namespace redtune::search {
namespace {

using PriorTest = GridTrials;

db::StoredMeasurement stored(const Trial& trial, double us, Status status = Status::ok) {
    db::StoredMeasurement entry;
    entry.configuration = trial.configuration;
    entry.measurement.status = status;
    entry.measurement.median_us = us;
    return entry;
}

TEST_F(PriorTest, HasConfigurationsThatWereNearTheBestInSomeCell) {
    Prior prior;
    EXPECT_TRUE(add_to_prior(prior, std::vector{stored(trials_[0], 10), stored(trials_[1], 10.5),
                                                stored(trials_[2], 12), stored(trials_[3], 1, Status::wrong)}));
    EXPECT_EQ(prior.size(), 2U);
    EXPECT_DOUBLE_EQ(prior.at(name(1)), 1.05);
    EXPECT_TRUE(add_to_prior(prior, std::vector{stored(trials_[1], 7), stored(trials_[2], 7.07)}));
    EXPECT_DOUBLE_EQ(prior.at(name(1)), 1) << "the cell where it did best counts";
    EXPECT_EQ(prior.size(), 3U);
    EXPECT_FALSE(add_to_prior(prior, std::vector{stored(trials_[3], 1, Status::wrong)}));
    EXPECT_FALSE(add_to_prior(prior, {}));
}

TEST(CellsByDistance, CellsOfTheSameRegimeComeFirst) {
    using enum Regime;
    const auto order = cells_by_distance({1 << 10, 1 << 12, 1 << 14, 1 << 20}, {cold, warm}, {1 << 12, warm});
    EXPECT_EQ(order, (std::vector<CellKey>{{1 << 10, warm},
                                           {1 << 14, warm},
                                           {1 << 20, warm},
                                           {1 << 12, cold},
                                           {1 << 10, cold},
                                           {1 << 14, cold},
                                           {1 << 20, cold}}));
}

TEST(SimilarProblems, HaveTheSameWidthOrOperatorWithTheMostSimilarFirst) {
    const auto problem = [](const char* op, Type type) { return make_problem(op, type); };
    Problem rows = problem("sum", Type::i32);
    rows.row_length = 32;
    Problem itself = problem("sum", Type::f32);
    itself.determinism = Determinism::run_to_run;
    const auto found =
        similar_problems({problem("max", Type::f64), problem("sum", Type::f64), problem("max", Type::i32),
                          problem("max", Type::f32), problem("sum", Type::i32), rows, itself},
                         problem("sum", Type::f32));
    EXPECT_EQ(found, (std::vector<Problem>{problem("sum", Type::i32), problem("max", Type::f32),
                                           problem("max", Type::i32), problem("sum", Type::f64)}));
}

}  // namespace
}  // namespace redtune::search
