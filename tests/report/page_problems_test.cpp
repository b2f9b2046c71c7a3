#include "tuner/report/page_problems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace redtune::report {
namespace {

using testing::HasSubstr;

TEST(PageProblems, DeterminismIsNotDistinguished) {
    PageProblems problems;
    Problem run_to_run;
    run_to_run.determinism = Determinism::run_to_run;
    EXPECT_EQ(problems.index_of({}), 0U);
    EXPECT_EQ(problems.index_of(run_to_run), 0U);
    EXPECT_EQ(problems.index_of(make_problem("dot", Type::f16)), 1U);
    const Json list = problems.json();
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0]["name"], "sum of f32");
    EXPECT_EQ(list[1]["bytes"], 4) << "two arrays of 2 bytes";
}

TEST(PageProblems, ProblemsOfAUsersOperatorHaveDifferentNames) {
    PageProblems problems;
    Problem mine;
    mine.op = "sum_of_cubes";
    problems.index_of(mine);
    mine.accumulator = Type::f64;
    problems.index_of(mine);
    EXPECT_EQ(problems.json()[0]["name"], "sum_of_cubes of f32");
    EXPECT_EQ(problems.json()[1]["name"], "sum_of_cubes of f32 in f64 to f32");
}

TEST(PageProblems, OptionsAndStatementsNameOnlyWhatIsNotDefault) {
    const Problem sum;
    EXPECT_EQ(command_options(sum), "--op sum --dtype f32");
    EXPECT_EQ(cpp_statements(sum), "redtune::Problem problem = redtune::make_problem(\"sum\", redtune::Type::f32);\n");
    Problem rows = make_problem("sum", Type::i8, Type::i64, Type::i64);
    rows.row_length = 1000;
    rows.destructive = true;
    EXPECT_EQ(command_options(rows),
              "--op sum --dtype i8 --accumulator i64 --output i64 --shape rows:1000 --destructive");
    EXPECT_EQ(cpp_statements(rows),
              "redtune::Problem problem = redtune::make_problem(\"sum\", redtune::Type::i8, redtune::Type::i64, "
              "redtune::Type::i64);\nproblem.row_length = 1000;\nproblem.destructive = true;\n");
}

TEST(PageProblems, ANameCannotRunAnotherCommand) {
    Problem evil;
    evil.op = "sum; rm -rf '$HOME' \"\\";
    EXPECT_EQ(command_options(evil), "--op 'sum; rm -rf '\\''$HOME'\\'' \"\\' --dtype f32");
    EXPECT_THAT(cpp_statements(evil), HasSubstr(R"(make_problem("sum; rm -rf '$HOME' \"\\", redtune::Type::f32))"));
    EXPECT_EQ(shell_quoted(""), "''");
    EXPECT_EQ(shell_quoted("NVIDIA H200"), "'NVIDIA H200'");
    EXPECT_EQ(shell_quoted("sum_of_squares"), "sum_of_squares");
}

}  // namespace
}  // namespace redtune::report
