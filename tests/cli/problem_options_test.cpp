#include "tuner/cli/problem_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/report/problem_as_options.h"

namespace redtune::cli {
namespace {

using testing::ElementsAre;

const std::string example_operator = test::source_path("examples/sum_of_cubes.cuh");
const std::string example_family = test::source_path("examples/contiguous.cuh");

ProblemOptions options_of(std::vector<std::string> arguments) {
    CLI::App app;
    ProblemOptions options;
    add_problem_options(app, options, {.determinism = true, .templates = true});
    std::reverse(arguments.begin(), arguments.end());  // as CLI::App wants them
    app.parse(arguments);
    return options;
}

TEST(ProblemOptions, TheDefaultProblemIsASumOfFloats) {
    EXPECT_THAT(parse_problems(options_of({})), ElementsAre(Problem()));
}

TEST(ProblemOptions, EachInputTypeMakesAProblemWithAllOtherOptions) {
    const auto problems = parse_problems(options_of({"--op", "dot", "--dtype", "f16,f32", "--dtype", "f64", "--shape",
                                                     "rows:1Ki", "--determinism", "run_to_run", "--destructive"}));
    ASSERT_EQ(problems.size(), 3U);
    EXPECT_EQ(problems[0].input, Type::f16);
    EXPECT_EQ(problems[1].input, Type::f32);
    EXPECT_EQ(problems[2].input, Type::f64);
    for (const Problem& problem : problems) {
        EXPECT_EQ(problem.op, "dot");
        EXPECT_EQ(problem.arrays, 2U);
        EXPECT_EQ(problem.row_length, 1024U);
        EXPECT_EQ(problem.determinism, Determinism::run_to_run);
        EXPECT_TRUE(problem.destructive);
    }
}

TEST(ProblemOptions, ListsTakeCommasAndSpaces) {
    EXPECT_EQ(parse_problems(options_of({"--dtype", "f16", "f32", "--op", "max"})).size(), 2U);
    EXPECT_EQ(parse_problems(options_of({"--dtype", "f16,f32", "f64"})).size(), 3U);
    EXPECT_EQ(options_of({"--template", example_family, example_operator}).templates.size(), 2U);
}

TEST(ProblemOptions, ASingleProblemHasOneTypeAndAWholeNumberOfRows) {
    const ProblemOptions rows = options_of({"--shape", "rows:32"});
    EXPECT_EQ(parse_problem(rows, 64).row_length, 32U);
    EXPECT_EQ(parse_problem(rows, 0).row_length, 32U);
    EXPECT_THROW(parse_problem(rows, 63), InputError);
    EXPECT_EQ(parse_problem(options_of({}), 63), Problem());
    EXPECT_THROW(parse_problem(options_of({"--dtype", "f32,f64"}), 64), InputError);
}

TEST(ProblemOptions, SourcesIncludeTheUsersTemplatesAndOperator) {
    const db::ScopedVariable none("REDTUNE_TEMPLATE_PATH", nullptr);
    const jit::SourceSet ours = load_sources(options_of({}));
    EXPECT_TRUE(ours.operator_paths().empty());
    const jit::SourceSet both = load_sources(options_of({"--op-file", example_operator, "--template", example_family}));
    EXPECT_THAT(both.operator_paths(), ElementsAre(example_operator));
    EXPECT_EQ(both.families().size(), ours.families().size() + 1);
    EXPECT_NE(jit::find_family(both.families(), "grid_stride_wide").code_hash,
              jit::find_family(ours.families(), "grid_stride_wide").code_hash);
    EXPECT_EQ(parse_problems(options_of({"--op-file", example_operator})).front().op, "sum_of_cubes");
}

TEST(ProblemOptions, ADescriptionNamesOnlyWhatIsNotTheDefault) {
    EXPECT_EQ(describe(Problem()), "sum of f32");
    EXPECT_EQ(describe(make_problem("argmin", Type::f16)), "argmin of f16");
    Problem problem = make_problem("sum", Type::i8, Type::i64);
    problem.row_length = 32;
    EXPECT_EQ(describe(problem), "sum of i8 in i64 to i64, rows:32");
    problem.determinism = Determinism::run_to_run;
    problem.destructive = true;
    EXPECT_EQ(describe(problem), "sum of i8 in i64 to i64, rows:32, run_to_run, destructive");
    problem.op = "my_own";
    problem.row_length = 0;
    EXPECT_EQ(describe(problem), "my_own of i8, run_to_run, destructive") << "nothing is known of its defaults";
}

TEST(ProblemOptions, AProblemWrittenAsOptionsIsParsedBack) {
    for (const std::string& op : operator_names()) {
        for (const ResultTypes& types : result_types(op, Type::i16)) {
            Problem problem = make_problem(op, Type::i16, types.accumulator, types.output);
            problem.row_length = 48;
            problem.destructive = true;
            std::vector<std::string> arguments = CLI::detail::split_up(report::as_options(problem));
            EXPECT_THAT(parse_problems(options_of(arguments)), ElementsAre(problem)) << report::as_options(problem);
        }
    }
}

TEST(ProblemOptions, AreParsedBackFromTheirText) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{},
          {"--op", "dot", "--dtype", "f16,f32", "--accumulator", "f64", "--output", "f64", "--shape", "rows:1Ki"},
          {"--op-file", example_operator, "--dtype", "f64", "--determinism", "run_to_run", "--destructive"},
          {"--template", example_family, "--template", example_operator}}) {
        const ProblemOptions given = options_of(arguments);
        const ProblemOptions again = options_of(CLI::detail::split_up(as_options(given)));
        EXPECT_EQ(as_options(again), as_options(given));
        EXPECT_EQ(parse_problems(again), parse_problems(given)) << as_options(given);
        EXPECT_EQ(again.templates, given.templates);
        EXPECT_EQ(again.op_file, given.op_file);
    }
}

}  // namespace
}  // namespace redtune::cli
