#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/Error.hpp>
#include <nlohmann/json.hpp>

#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

using nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

/// Plans for the shipped recording's device, as a machine without a GPU does.
class FamiliesCommandTest : public testing::Test {
  protected:
    static Outcome run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"families", "--device", "replay:nvidia-h200"});
        return run_command(add_families_command, arguments);
    }

    static ordered_json rows(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--format", "json"});
        return ordered_json::parse(run(std::move(arguments)).out);
    }

    static std::uint64_t candidates(const ordered_json& rows, const std::string& family) {
        for (const auto& row : rows) {
            if (row["family"] == family) return row["candidates"].get<std::uint64_t>();
        }
        ADD_FAILURE() << "there is no " << family;
        return 0;
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::source_path("db/data")};
    db::ScopedVariable no_folder_{"REDTUNE_TEMPLATE_PATH", nullptr};
};

TEST_F(FamiliesCommandTest, ListsThePublishedKernelsByName) {
    const ordered_json all = rows({});
    std::vector<std::string> names;
    for (const auto& row : all) names.push_back(row["family"]);
    for (const char* name :
         {"neighbored", "neighbored_less", "interleaved", "unrolling2", "unrolling4", "unrolling8", "unroll_warps8",
          "complete_unroll_warps8", "complete_unroll", "shared_modulo", "shared_strided", "shared_sequential",
          "shared_first_add", "shared_last_warp", "shared_full_unroll", "shared_multi_add", "grid_stride",
          "segment_shared", "segment_shuffle"}) {
        EXPECT_THAT(names, testing::Contains(name));
    }
    for (const auto& row : all) {
        for (const char* key :
             {"family", "summary", "origin", "shapes", "destructive", "candidates", "compiles", "parameters"}) {
            EXPECT_TRUE(row.contains(key)) << key;
        }
    }
}

TEST_F(FamiliesCommandTest, CandidatesAreThoseOfTheProblem) {
    const ordered_json whole = rows({});
    EXPECT_GT(candidates(whole, "grid_stride_wide"), 0U);
    EXPECT_EQ(candidates(whole, "rows_wide"), 0U);
    EXPECT_EQ(candidates(whole, "neighbored"), 0U) << "it overwrites the input";
    const ordered_json in_rows = rows({"--shape", "rows:32"});
    EXPECT_EQ(candidates(in_rows, "grid_stride_wide"), 0U);
    EXPECT_GT(candidates(in_rows, "rows_wide"), 0U);
    EXPECT_GT(candidates(in_rows, "segment_shuffle"), 0U);
    const ordered_json destructive = rows({"--destructive"});
    EXPECT_GT(candidates(destructive, "neighbored"), 0U);
    EXPECT_EQ(candidates(destructive, "grid_stride_wide"), candidates(whole, "grid_stride_wide"));
    EXPECT_EQ(candidates(rows({"--destructive", "--dtype", "f16"}), "neighbored"), 0U)
        << "a partial sum has no room where an f16 was";
}

TEST_F(FamiliesCommandTest, SaysWhatItCountsFor) {
    const Outcome outcome = run({"--op", "dot", "--dtype", "bf16", "--accumulator", "f64", "--output", "f64", "--shape",
                                 "rows:1Ki", "--determinism", "run_to_run", "--destructive", "--n", "1Mi"});
    EXPECT_THAT(outcome.err,
                HasSubstr("dot of bf16 in f64 to f64, rows:1024, run_to_run, destructive, n = 1Mi, on NVIDIA H200"));
    EXPECT_THAT(run({"--op", "max"}).err, HasSubstr("Candidates for max of f32, n = 16Mi,"));
}

TEST_F(FamiliesCommandTest, ShowsOneInFull) {
    const Outcome outcome = run({"--dtype", "f32", "unrolling8"});
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("unrolling8"), HasSubstr("reduceUnrolling2, 4, 8"),
                                   HasSubstr("overwrites its input"), HasSubstr("shapes      whole")));
    EXPECT_THAT(run({"grid_stride_wide"}).out, Not(HasSubstr("overwrites")));
    EXPECT_THAT([] { run({"grid_stride_wid"}); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("'grid_stride_wid'"), HasSubstr("grid_stride_wide"))));
}

TEST_F(FamiliesCommandTest, FamiliesAndOperatorsOfTheUsersAreThereToo) {
    const std::string family = test::source_path("examples/contiguous.cuh");
    const std::string op = test::source_path("examples/sum_of_cubes.cuh");
    const ordered_json both = rows({"--template", family, "--op-file", op});
    EXPECT_GT(candidates(both, "contiguous"), 0U);
    EXPECT_GT(candidates(both, "grid_stride_wide"), 0U);
    EXPECT_THAT(run({"--op-file", op, "--dtype", "f16"}).err, HasSubstr("sum_of_cubes of f16"));
    EXPECT_THAT(
        [&] {
            run({"--op-file", op, "--dtype", "u8"});
        },
        ThrowsMessage<InputError>(HasSubstr("sum_of_cubes has no input type u8; its file has i32, f16, f32")));
}

TEST_F(FamiliesCommandTest, RefusesWhatItDoesNotKnowAndSaysWhatItDoes) {
    const auto refused = [](const std::vector<std::string>& arguments, const char* phrase) {
        EXPECT_THAT([&] { run(arguments); }, ThrowsMessage<InputError>(HasSubstr(phrase)))
            << testing::PrintToString(arguments);
    };
    refused({"--op", "summ"}, "allowed are sum, product");
    refused({"--dtype", "f31"}, "allowed are i8");
    refused({"--dtype", "f32,i32"}, "one input type");
    refused({"--accumulator", "f31"}, "allowed are i8");
    refused({"--accumulator", "i32"}, "allowed are f32 to f32, f64 to f64, f64 to f32");
    refused({"--output", "i32"}, "allowed are f32 to f32");
    refused({"--op", "bit_or"}, "bit_or makes no sense of f32; allowed are i8");
    refused({"--shape", "row:32"}, "'whole' and 'rows:LENGTH'");
    refused({"--shape", "rows:1"}, "'whole' and 'rows:LENGTH'");
    refused({"--shape", "rows:33"}, "not a whole number of rows of 33");
    refused({"--determinism", "some"}, "any, run_to_run");
    refused({"--op-file", "/nonexistent/own.cuh"}, "/nonexistent/own.cuh cannot be read");
    refused({"--op-file", test::source_path("examples/sum_of_cubes.cuh"), "--accumulator", "f64"}, "[types]");
    refused({"--template", "/nonexistent/own.cuh"}, "/nonexistent/own.cuh cannot be read");
    EXPECT_THROW(run({"--op-file", test::source_path("examples/sum_of_cubes.cuh"), "--op", "sum"}), CLI::ParseError);
}

}  // namespace
}  // namespace redtune::cli
