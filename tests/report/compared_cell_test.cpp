#include "tuner/report/compared_cell.h"

#include <gtest/gtest.h>

namespace redtune::report {
namespace {

TEST(ComparedCell, AlignmentIsNamedInElements) {
    EXPECT_EQ(alignment_name(0), "aligned");
    EXPECT_EQ(alignment_name(3), "3 off");
}

TEST(ComparedCell, ARowHasAResult) {
    Problem problem = make_problem("max", Type::f16);
    EXPECT_EQ(compared_cell(problem, 4000, Regime::cold, 0, Streams::one).rows, 1U);
    problem.row_length = 1000;
    const ComparedCell cell = compared_cell(problem, 4000, Regime::warm, 1, Streams::several);
    EXPECT_EQ(cell.shape, "rows:1000");
    EXPECT_EQ(cell.rows, 4U);
    EXPECT_EQ(cell.bytes, 8000U);
}

TEST(ComparedCell, TheNameHasTheShapeOnlyOfRows) {
    Problem problem = make_problem("sum", Type::f32);
    EXPECT_EQ(name_of(compared_cell(problem, 4096, Regime::cold, 0, Streams::one)), "sum f32 16KiB cold aligned");
    problem.row_length = 1000;
    EXPECT_EQ(name_of(compared_cell(problem, 5000, Regime::warm, 1, Streams::one)),
              "sum f32 rows:1000 20000B warm 1 off");
}

}  // namespace
}  // namespace redtune::report
