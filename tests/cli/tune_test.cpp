#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/Error.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "db/connection.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;

/// Runs over the shipped recording, as a machine without a GPU does.
class TuneOnRecording : public ::testing::Test {
  protected:
    Outcome tune(std::vector<std::string> arguments) {
        for (const char* more : {"--device", "replay:nvidia-h200"}) arguments.emplace_back(more);
        arguments.insert(arguments.begin(), "tune");
        arguments.insert(arguments.end(), {"--db", (folder_ / "test.db").string()});
        return run_command(add_tune_command, arguments);
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::source_path("db/data")};
    db::ScopedVariable cache_{"REDTUNE_CACHE", folder_.path().c_str()};
};

TEST_F(TuneOnRecording, EndsWithTheWinnersOfTheRecording) {
    const Outcome outcome = tune({"--size", "1Ki..1Mi"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_EQ(outcome.out, test::golden("tune_table.txt", outcome.out));
    EXPECT_THAT(outcome.err, HasSubstr("replay:nvidia-h200"));
}

TEST_F(TuneOnRecording, SaysHowManyWereStoppedEarly) {
    const Outcome outcome = tune({"--size", "16Mi", "--effort", "quick"});
    EXPECT_THAT(outcome.err,
                ::testing::ContainsRegex("[0-9]+ of [0-9]+ candidates screened: [1-9][0-9]* stopped early, "
                                         "[1-9][0-9]* ruled out without a measurement"));
    EXPECT_THAT(tune({"--size", "16Mi", "--effort", "quick"}).err, ::testing::Not(HasSubstr("stopped early")));
}

TEST_F(TuneOnRecording, ASecondRunDoesNothingAndSaysSo) {
    const Outcome first = tune({"--size", "1Ki..4Ki"});
    const Outcome second = tune({"--size", "1Ki..4Ki"});
    EXPECT_THAT(first.err, ::testing::Not(HasSubstr("nothing to do")));
    EXPECT_THAT(second.err, HasSubstr("Everything is measured already: nothing to do."));
    EXPECT_EQ(second.out, first.out) << "the summary is there all the same";
}

TEST_F(TuneOnRecording, APlanIsAllThatPlanPrints) {
    const Outcome outcome = tune({"--size", "1Ki..1Gi", "--plan"});
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_THAT(outcome.out, HasSubstr("candidates  26597, 0 measured already"));
    EXPECT_THAT(outcome.out, HasSubstr("21 (sizes x regimes), 0 done already"));
}

TEST_F(TuneOnRecording, OnlyTheFamiliesAskedForAreMeasured) {
    const Outcome outcome = tune({"--size", "64Ki", "--family", "shared_sequential,grid_stride_wide"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("tile_per_block(")));
    const db::Store store = db::Store::open(folder_ / "test.db", db::Access::read_only);
    EXPECT_EQ(store.connection().text("SELECT group_concat(DISTINCT family) FROM (SELECT family FROM measurements "
                                      "ORDER BY family)"),
              "grid_stride_wide,shared_sequential");
    // The rest is measured by a tune of all, and what is there takes part.
    EXPECT_THAT(tune({"--size", "64Ki"}).out, HasSubstr("tile_per_block("));
}

TEST_F(TuneOnRecording, TheSweepKeepsTheOptionsAsTheyWereGiven) {
    tune({"--size", "1Ki", "--family", "grid_stride_wide", "--template", test::source_path("examples/contiguous.cuh")});
    const db::Store store = db::Store::open(folder_ / "test.db", db::Access::read_only);
    EXPECT_THAT(store.connection().text("SELECT command FROM sweeps"),
                HasSubstr("tune --op sum --dtype f32 --shape whole --determinism any --template " +
                          test::source_path("examples/contiguous.cuh") +
                          " --size 1Ki --regime cold --family grid_stride_wide"));
}

TEST_F(TuneOnRecording, WhatWasNotRecordedIsRefusedByName) {
    EXPECT_THAT(
        [&] {
            tune({"--size", "1Ki", "--shape", "rows:32"});
        },
        ::testing::ThrowsMessage<InputError>(HasSubstr("no sum of f32, rows:32")));
    EXPECT_THAT(
        [&] {
            tune({"--size", "1Ki", "--op", "product"});
        },
        ::testing::ThrowsMessage<InputError>(HasSubstr("no product of f32, whole")));
    EXPECT_THAT(
        [&] {
            tune({"--size", "1Ki", "--dtype", "i32"});
        },
        ::testing::ThrowsMessage<InputError>(HasSubstr("no sum of i32, whole")));
}

TEST_F(TuneOnRecording, SizesThatWereNotRecordedAreRefused) {
    EXPECT_THROW(tune({"--size", "1000"}), InputError);
}

TEST_F(TuneOnRecording, WrongInputIsRefusedBeforeADatabaseIsMade) {
    const auto refused = [&](const std::vector<std::string>& arguments, const char* phrase) {
        EXPECT_THAT([&] { tune(arguments); }, ::testing::ThrowsMessage<InputError>(HasSubstr(phrase)))
            << ::testing::PrintToString(arguments);
    };
    refused({"--op", "summ"}, "allowed are sum, product");
    refused({"--accumulator", "i32"}, "allowed are f32 to f32");
    refused({"--output", "f16"}, "allowed are f32 to f32");
    refused({"--shape", "rows:0"}, "'whole' and 'rows:LENGTH'");
    refused({"--effort", "wrong"}, "allowed are quick, exhaustive");
    refused({"--op-file", "/nonexistent/own.cuh"}, "cannot be read");
    refused({"--op-file", test::source_path("examples/contiguous.cuh")}, "contiguous.cuh:2: there is no key 'family'");
    refused({"--template", "/nonexistent/own.cuh"}, "cannot be read");
    refused({"--template", test::source_path("examples/sum_of_cubes.cuh")}, "sum_of_cubes.cuh:2: there is no key");
    refused({"--family", "streem"}, "there is no family 'streem'; there are ");
    EXPECT_THROW(tune({"--op", "sum", "--op-file", "own.cuh"}), CLI::ParseError);
    EXPECT_THROW(tune({"--dtype", "f31"}), InputError);
    EXPECT_THROW(tune({"--size", "4Ki..1Ki"}), InputError);
    EXPECT_THROW(tune({"--regime", "tepid"}), InputError);
    EXPECT_THROW(tune({"--determinism", "some"}), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "test.db"));
}

}  // namespace
}  // namespace redtune::cli
