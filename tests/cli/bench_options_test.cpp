#include "tuner/cli/bench_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "redtune/error.h"

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

BenchRequest parse(std::vector<std::string> arguments) {
    BenchOptions options;
    CLI::App app;
    add_bench_options(app, options);
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
    return parse_bench(options);
}

TEST(BenchOptions, TheDefaultIsSumOfF32ColdAlignedAgainstCubsDefault) {
    const BenchRequest request = parse({});
    ASSERT_EQ(request.problems.size(), 1U);
    EXPECT_EQ(request.problems[0].problem, make_problem("sum", Type::f32));
    EXPECT_EQ(request.problems[0].sizes.front(), 1024U / 4);
    EXPECT_EQ(request.problems[0].sizes.back(), 64U << 20);
    EXPECT_THAT(request.regimes, ElementsAre(Regime::cold));
    EXPECT_THAT(request.determinisms, ElementsAre(Determinism::any));
    EXPECT_THAT(request.cub_determinisms, ElementsAre("default"));
    EXPECT_THAT(request.offsets, ElementsAre(0U));
    EXPECT_THAT(request.streams, ElementsAre(report::Streams::one));
}

TEST(BenchOptions, ListsTakeCommasAndDropRepeatedItems) {
    const BenchRequest request = parse({"--op", "sum,argmin,sum", "--dtype", "f16,i8", "--bytes", "4Ki,1Ki", "--regime",
                                        "warm,cold", "--offset", "0,1,0", "--determinism", "run_to_run,any",
                                        "--cub-determinism", "default,gpu_to_gpu", "--streams", "several,one,several"});
    EXPECT_EQ(request.problems.size(), 4U);
    EXPECT_EQ(request.problems[1].problem.op, "sum");
    EXPECT_EQ(request.problems[1].problem.input, Type::i8);
    EXPECT_EQ(request.problems[0].problem.determinism, Determinism::run_to_run);
    EXPECT_THAT(request.problems[0].sizes, ElementsAre(512U, 2048U)) << "f16";
    EXPECT_THAT(request.problems[1].sizes, ElementsAre(1024U, 4096U)) << "i8";
    EXPECT_THAT(request.regimes, ElementsAre(Regime::warm, Regime::cold));
    EXPECT_THAT(request.offsets, ElementsAre(0U, 1U));
    // `several` must come last, because compare::Session cannot go back to one stream.
    EXPECT_THAT(request.streams, ElementsAre(report::Streams::one, report::Streams::several));
    EXPECT_THAT(request.determinisms, ElementsAre(Determinism::run_to_run, Determinism::any));
    EXPECT_THAT(request.cub_determinisms, ElementsAre("default", "gpu_to_gpu"));
}

TEST(BenchOptions, ListsTakeSpacesAsWell) {
    const BenchRequest request =
        parse({"--op", "sum", "max", "--dtype", "f16", "i8", "--regime", "cold", "warm", "--offset", "0", "1"});
    EXPECT_EQ(request.problems.size(), 4U);
    EXPECT_EQ(request.problems[2].problem.op, "max");
    EXPECT_THAT(request.regimes, ElementsAre(Regime::cold, Regime::warm));
    EXPECT_THAT(request.offsets, ElementsAre(0U, 1U));
}

TEST(BenchOptions, RefusesWrongArgumentsAndSaysWhatIsAllowed) {
    const auto refused = [](const std::vector<std::string>& arguments, const char* phrase) {
        EXPECT_THAT([&] { parse(arguments); }, ThrowsMessage<InputError>(HasSubstr(phrase)))
            << testing::PrintToString(arguments);
    };
    refused({"--op", "any"}, "allowed are sum, product, min, max, mean, argmin, argmax, dot");
    refused({"--op", "SUM"}, "did you mean 'sum'?");
    refused({"--dtype", "float"}, "did you mean 'f32'?");
    refused({"--dtype", "u8"}, "allowed are f32, f64, i32, i64, f16, bf16, i8");
    refused({"--regime", "tepid"}, "allowed are cold, warm, back_to_back");
    refused({"--determinism", "default"}, "allowed are any, run_to_run");
    refused({"--streams", "two"}, "allowed are one, several");
    refused({"--cub-determinism", "any"}, "allowed are default, not_guaranteed, run_to_run, gpu_to_gpu");
    refused({"--offset", "64"}, "allowed are 0 to 63");
    refused({"--offset=-1"}, "--offset -1 is out of range; allowed are 0 to 63");
    refused({"--bytes", "1K"}, "1K");
    refused({"--bytes", "1026"}, "give a multiple of 4");
    refused({"--bytes", "0"}, "one or more whole elements of f32");
    refused({"--shape", "columns"}, "columns");
    refused({"--shape", "columns:64"}, "reduces no columns; allowed are 'whole' and 'rows:LENGTH'");
    refused({"--shape", "rows:1000", "--op", "product"}, "allowed are sum, min, max, argmin, argmax");
    refused({"--shape", "rows:4Gi", "--size", "4Gi"}, "at most 2147483647 elements");
    EXPECT_THROW(parse({"--offset", "x"}), CLI::ParseError);
    EXPECT_THROW(parse({"--warm"}), CLI::ParseError);
}

TEST(BenchOptions, EachShapeMakesAProblem) {
    const BenchRequest request = parse({"--shape", "whole,rows:1000", "--op", "max", "--size", "1000,3000"});
    ASSERT_EQ(request.problems.size(), 2U);
    EXPECT_EQ(request.problems[0].problem.row_length, 0U);
    EXPECT_EQ(request.problems[1].problem.row_length, 1000U);
    EXPECT_THAT(request.problems[1].sizes, ElementsAre(1000U, 3000U));
}

TEST(BenchOptions, ADeterminismThatCubLacksIsRefusedWithTheKindsItHas) {
    const Problem problem = make_problem("argmin", Type::f16);
    EXPECT_NO_THROW(refuse_missing_cub_determinism({"default"}, problem, {"default", "run_to_run"}, 300001));
    EXPECT_THAT(
        [&] {
            refuse_missing_cub_determinism({"default", "gpu_to_gpu"}, problem, {"default", "run_to_run"}, 300001);
        },
        ThrowsMessage<InputError>("CUB 3.0.1 has no --cub-determinism gpu_to_gpu for argmin of f16; it has default, "
                                  "run_to_run"));
    EXPECT_THAT([&] { refuse_missing_cub_determinism({"gpu_to_gpu"}, problem, {"default"}, 301204); },
                ThrowsMessage<InputError>(HasSubstr("CUB 3.12.4 has")));
    Problem rows = problem;
    rows.row_length = 32;
    EXPECT_THAT([&] { refuse_missing_cub_determinism({"gpu_to_gpu"}, rows, {"default"}, 300200); },
                ThrowsMessage<InputError>(HasSubstr("for argmin of f16, rows:32; it has default")));
}

TEST(BenchOptions, AcceptsOnlyDataThatEveryProblemCanHave) {
    EXPECT_EQ(parse({}).problems[0].data.at(0).name, "uniform") << "not the data on which sums are tuned";
    const BenchRequest request = parse({"--data", "uniform,outlier,uniform"});
    ASSERT_EQ(request.problems[0].data.size(), 2U);
    EXPECT_EQ(request.problems[0].data[1].name, "outlier");
    EXPECT_THAT(
        [] {
            parse({"--dtype", "f32,i32", "--data", "normal"});
        },
        ThrowsMessage<InputError>(HasSubstr("sum of i32 cannot have the data 'normal'; allowed are uniform")));
}

}  // namespace
}  // namespace redtune::cli
