#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/Error.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/gpu/nvrtc.h"

namespace redtune::cli {
namespace {

using nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

/// Runs `families` for the shipped recording's device, which a machine without a GPU takes by default.
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
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::shipped_data()};
    db::ScopedVariable no_folder_{"REDTUNE_TEMPLATE_PATH", nullptr};
};

TEST_F(FamiliesCommandTest, LinesFitATerminal) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, {"grid_stride_wide"}}) {
        std::istringstream lines(run(arguments).out);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
    }
    EXPECT_THAT(run({"grid_stride_wide"}).out, HasSubstr("\n           max_threads_per_sm and n * "))
        << "a long condition is wrapped";
}

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

TEST_F(FamiliesCommandTest, SaysWhyThereAreNoCandidates) {
    const auto why = [](const ordered_json& all, const std::string& family) -> std::string {
        for (const auto& row : all) {
            if (row["family"] == family) return row["why_none"];
        }
        return "there is no such family";
    };
    const ordered_json whole = rows({});
    EXPECT_EQ(why(whole, "grid_stride_wide"), "");
    EXPECT_EQ(why(whole, "rows_wide"), "only for rows: --shape rows:LENGTH");
    EXPECT_EQ(why(whole, "columns_strip"), "only for columns: --shape columns:COUNT");
    EXPECT_EQ(why(whole, "neighbored"), "overwrites its input: --destructive allows that");
    EXPECT_THAT(why(whole, "single_block"), HasSubstr("no configuration satisfies "));
    EXPECT_EQ(why(rows({"--shape", "rows:32"}), "grid_stride_wide"), "only for whole arrays: --shape whole");
    for (const auto& row : whole) EXPECT_EQ(row["why_none"] == "", row["candidates"] > 0) << row;
    EXPECT_THAT(run({}).out, HasSubstr("none: only for rows"));
}

TEST_F(FamiliesCommandTest, TheTableFitsATerminalAndWideShowsAll) {
    const auto longest = [](const std::string& text) {
        std::istringstream lines(text);
        std::size_t most = 0;
        for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
        return most;
    };
    const std::string table = run({}).out;
    EXPECT_LE(longest(table), 100U);
    EXPECT_THAT(table, Not(HasSubstr("parameters")));
    const std::string wide = run({"--wide"}).out;
    EXPECT_GT(longest(wide), 200U);
    EXPECT_THAT(wide, HasSubstr("stage_bytes=4096|8192"));
    EXPECT_THAT(run({"--format", "csv"}).out, HasSubstr("stage_bytes=4096|8192"));
}

TEST_F(FamiliesCommandTest, TheDefaultSizeIsWholeRows) {
    EXPECT_THAT(run({"rows_wide", "--shape", "rows:1000"}).err, HasSubstr("n = 16777000"));
    EXPECT_THAT(run({"rows_wide", "--shape", "rows:32Mi"}).err, HasSubstr("n = 32Mi"));
    EXPECT_THAT(run({"rows_wide", "--shape", "rows:1Ki"}).err, HasSubstr("n = 16Mi"));
}

TEST_F(FamiliesCommandTest, CompilesAFamilyOfTheUserWithoutAGpu) {
    if (gpu::Nvrtc::find() == nullptr) GTEST_SKIP() << gpu::Nvrtc::why_missing();
    const db::ScopedVariable cache("REDTUNE_CACHE", (folder_ / "cache").c_str());
    const std::string file = test::source_path("examples/contiguous.cuh");
    const Outcome outcome = run({"--template", file, "--compile", "--architecture", "8.0", "--format", "json"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("for sm_80."));
    const ordered_json kernels = ordered_json::parse(outcome.out);
    ASSERT_FALSE(kernels.empty());
    for (const auto& kernel : kernels) {
        EXPECT_THAT(kernel["kernel"].get<std::string>(), HasSubstr("contiguous(block="));
        EXPECT_EQ(kernel["status"], "ok");
        EXPECT_GT(kernel["registers"], 0);
        EXPECT_TRUE(kernel["spill_bytes"].is_number());
    }
    std::string wrong = db::read_file(file);
    wrong.replace(wrong.find("__global__"), 10, "__globul__");
    db::write_file(folder_ / "contiguous.cuh", wrong);
    const Outcome failing = run({"--template", folder_ / "contiguous.cuh", "--compile"});
    EXPECT_EQ(failing.exit_code, failed_candidates);
    EXPECT_THAT(failing.err, AllOf(HasSubstr("does not compile"), HasSubstr("__globul__")));
    EXPECT_THAT(failing.out, HasSubstr("failed"));
}

TEST_F(FamiliesCommandTest, CompilingNeedsAFamilyWithCandidates) {
    EXPECT_THAT([] { run({"--compile"}); }, ThrowsMessage<InputError>(HasSubstr("--template FILE")));
    EXPECT_THAT([] { run({"--architecture", "sm_80"}); }, ThrowsMessage<InputError>(HasSubstr("--compile only")));
    EXPECT_THAT(
        [] {
            run({"bulk", "--compile", "--architecture", "hopper"});
        },
        ThrowsMessage<InputError>(HasSubstr("allowed are forms like sm_90")));
    const Outcome none = run({"bulk", "--compile", "--architecture", "sm_80"});
    EXPECT_EQ(none.exit_code, nothing_found);
    EXPECT_THAT(none.err, HasSubstr("bulk has no candidates: needs compute capability 9.0."));
}

TEST_F(FamiliesCommandTest, NamesTheProblemWhoseCandidatesItCounts) {
    const Outcome outcome = run({"--op", "dot", "--dtype", "bf16", "--accumulator", "f64", "--output", "f64", "--shape",
                                 "rows:1Ki", "--determinism", "run_to_run", "--destructive", "--n", "1Mi"});
    EXPECT_THAT(outcome.err,
                HasSubstr("dot of bf16 in f64 to f64, rows:1024, run_to_run, destructive, n = 1Mi, on NVIDIA H200"));
    EXPECT_THAT(run({"--op", "max"}).err, HasSubstr("Candidates for max of f32, n = 16Mi,"));
}

TEST_F(FamiliesCommandTest, ShowsOneFamilyInFull) {
    const Outcome outcome = run({"--dtype", "f32", "unrolling8"});
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("unrolling8"), HasSubstr("reduceUnrolling2, 4, 8"),
                                   HasSubstr("overwrites its input"), HasSubstr("shapes      whole")));
    EXPECT_THAT(run({"grid_stride_wide"}).out, Not(HasSubstr("overwrites")));
    EXPECT_THAT([] { run({"grid_stride_wid"}); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("'grid_stride_wid'"), HasSubstr("grid_stride_wide"))));
}

TEST_F(FamiliesCommandTest, ListsFamiliesAndOperatorsOfTheUserToo) {
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
        ThrowsMessage<InputError>(HasSubstr("sum_of_cubes has no input type u8; its source has i32, f16, f32")));
}

TEST_F(FamiliesCommandTest, RefusesWrongArgumentsAndSaysWhatIsAllowed) {
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
    refused({"--shape", "row:32"}, "'whole', 'rows:LENGTH'");
    refused({"--shape", "rows:1"}, "'whole', 'rows:LENGTH'");
    refused({"--shape", "rows:33", "--n", "16Mi"}, "not a whole number of rows of 33");
    refused({"--shape", "columns:0"}, "'columns:COUNT' with 1 column or more");
    refused({"--shape", "columns:33", "--n", "16Mi"}, "not a whole number of rows of 33");
    refused({"--determinism", "some"}, "any, run_to_run");
    refused({"--op-file", "/nonexistent/own.cuh"}, "/nonexistent/own.cuh cannot be read");
    refused({"--op-file", test::source_path("examples/sum_of_cubes.cuh"), "--accumulator", "f64"}, "[types]");
    refused({"--template", "/nonexistent/own.cuh"}, "/nonexistent/own.cuh cannot be read");
    EXPECT_THROW(run({"--op-file", test::source_path("examples/sum_of_cubes.cuh"), "--op", "sum"}), CLI::ParseError);
}

}  // namespace
}  // namespace redtune::cli
