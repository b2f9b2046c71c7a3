#include "tuner/cli/problem_filter.h"

#include <gmock/gmock.h>

#include "redtune/error.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

TEST(ProblemFilter, OptionsThatWereNotGivenAllowEverything) {
    const auto is_asked = parse_problem_filter(unset_problem_options());
    Problem rows = make_problem("argmin", Type::f16);
    rows.row_length = 32;
    rows.determinism = Determinism::run_to_run;
    EXPECT_TRUE(is_asked(make_problem("sum", Type::f32)));
    EXPECT_TRUE(is_asked(rows));
}

TEST(ProblemFilter, EveryGivenOptionMustFit) {
    ProblemOptions options = unset_problem_options();
    options.op = "sum";
    options.dtypes = {"f32", "f64"};
    options.shape = "rows:32";
    const auto is_asked = parse_problem_filter(options);
    Problem problem = make_problem("sum", Type::f32);
    EXPECT_FALSE(is_asked(problem)) << "whole array";
    problem.row_length = 32;
    EXPECT_TRUE(is_asked(problem));
    problem.determinism = Determinism::run_to_run;
    EXPECT_TRUE(is_asked(problem));
    problem.input = Type::i32;
    EXPECT_FALSE(is_asked(problem));
    problem = make_problem("max", Type::f32);
    problem.row_length = 32;
    EXPECT_FALSE(is_asked(problem));
}

TEST(ProblemFilter, TypesOfAccumulatorAndResultCount) {
    ProblemOptions options = unset_problem_options();
    options.accumulator = "f64";
    EXPECT_TRUE(parse_problem_filter(options)(make_problem("sum", Type::f32, Type::f64)));
    EXPECT_FALSE(parse_problem_filter(options)(make_problem("sum", Type::f32)));
    options = unset_problem_options();
    options.output = "f64";
    EXPECT_TRUE(parse_problem_filter(options)(make_problem("sum", Type::f64)));
    EXPECT_FALSE(parse_problem_filter(options)(make_problem("sum", Type::f32)));
}

TEST(ProblemFilter, AnOperatorFileNamesItsOperator) {
    ProblemOptions options = unset_problem_options();
    options.op_file = test::source_path("examples/sum_of_cubes.cuh");
    Problem problem;
    EXPECT_FALSE(parse_problem_filter(options)(problem));
    problem.op = "sum_of_cubes";
    EXPECT_TRUE(parse_problem_filter(options)(problem));
}

TEST(ProblemFilter, WrongNamesAreRefused) {
    for (std::string ProblemOptions::*member :
         {&ProblemOptions::op, &ProblemOptions::accumulator, &ProblemOptions::output, &ProblemOptions::shape}) {
        ProblemOptions options = unset_problem_options();
        options.*member = "wrong";
        EXPECT_THROW(parse_problem_filter(options), InputError);
    }
    ProblemOptions options = unset_problem_options();
    options.dtypes = {"f32", "wrong"};
    EXPECT_THROW(parse_problem_filter(options), InputError);
}

}  // namespace
}  // namespace redtune::cli
