#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/Error.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>

#include "db/connection.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// Runs `tune` on the shipped recording, as on a machine without a GPU.
class TuneOnRecording : public ::testing::Test {
  protected:
    Outcome tune(std::vector<std::string> arguments) {
        for (const char* more : {"--device", "replay:nvidia-h200"}) arguments.emplace_back(more);
        arguments.insert(arguments.begin(), "tune");
        arguments.insert(arguments.end(), {"--db", (folder_ / "test.db").string()});
        return run_command(add_tune_command, arguments);
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::shipped_data()};
    db::ScopedVariable cache_{"REDTUNE_CACHE", folder_.path().c_str()};
};

TEST_F(TuneOnRecording, EndsWithTheWinnersOfTheRecording) {
    const Outcome outcome = tune({"--size", "1Ki,64Ki,1Mi"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_EQ(outcome.out, test::golden("tune_table.txt", outcome.out));
    EXPECT_THAT(outcome.err, HasSubstr("replay:nvidia-h200"));
    EXPECT_THAT(outcome.err, HasSubstr("sum of f32 on NVIDIA H200, cold: winners of 3 sizes\n"
                                       "  bandwidth  up to 1451 GB/s, at 1Mi: 30.1 % of the memory's peak\n"
                                       "  speed-up   1.50 to 2.96 times over the classic kernel\n"));
    EXPECT_THAT(outcome.err, HasSubstr("redtune query --op sum --dtype f32 --n 1Mi"));
}

TEST_F(TuneOnRecording, UsesUniformDataOnlyAndSaysSoOnce) {
    const Outcome by_default = tune({"--size", "1Ki", "--regime", "cold,warm"});
    const std::string note =
        "replay:nvidia-h200 has times on uniform data only;\na GPU would compare the best configurations on other data "
        "too (outlier).";
    const std::size_t first = by_default.err.find(note);
    ASSERT_NE(first, std::string::npos) << by_default.err;
    EXPECT_EQ(by_default.err.find(note, first + 1), std::string::npos);
    EXPECT_THAT(by_default.err, HasSubstr("  data        uniform\n"));

    const Outcome named = tune({"--size", "1Ki", "--data", "normal,zeros"});
    EXPECT_EQ(named.exit_code, done);
    EXPECT_THAT(named.err, HasSubstr("on other data too (normal, zeros)."));
    EXPECT_THAT(named.err, HasSubstr("Everything is measured already")) << "as if only uniform had been asked for";
    EXPECT_EQ(tune({"--size", "1Ki", "--data", "uniform"}).err.find("data only"), std::string::npos);
    const db::Store store = db::Store::open(folder_ / "test.db", db::Access::read_only);
    const std::vector<DataRatio> data = store.winners().at(0).data;
    ASSERT_EQ(data.size(), 1U);
    EXPECT_EQ(data[0].data, "uniform");
    EXPECT_GE(data[0].ratio.value(), 1);
}

TEST_F(TuneOnRecording, UnknownDataAreRefusedWithTheNearestKind) {
    EXPECT_THAT(
        [&] {
            tune({"--size", "1Ki", "--data", "outlyer"});
        },
        ::testing::ThrowsMessage<InputError>(HasSubstr("did you mean 'outlier'?")));
}

TEST_F(TuneOnRecording, FailedCandidatesComeWithTheCommandThatListsTheirReasons) {
    ASSERT_EQ(tune({"--size", "1Ki"}).exit_code, done);
    db::Connection::open(folder_ / "test.db", db::OpenMode::create)
        .execute(
            "UPDATE measurement SET status_id = 1 "
            "WHERE id = (SELECT id FROM measurement WHERE stage_id = 0 ORDER BY median_us DESC LIMIT 1)");
    const Outcome outcome = tune({"--size", "1Ki"});
    EXPECT_EQ(outcome.exit_code, failed_candidates);
    EXPECT_THAT(outcome.err, HasSubstr("1 candidates failed: `redtune db show --failures --db " +
                                       (folder_ / "test.db").string() + "` lists the reasons."));
}

TEST_F(TuneOnRecording, TheSummaryFits100ColumnsAndWideShowsAll) {
    const auto longest = [](const std::string& text) {
        std::istringstream lines(text);
        std::size_t most = 0;
        for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
        return most;
    };
    const std::vector<std::string> quick{"--size", "64Ki,32Mi", "--effort", "quick", "--between", "0", "--checks", "0"};
    const auto with = [&](std::initializer_list<const char*> more) {
        std::vector<std::string> all = quick;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const std::string table = tune(quick).out;
    EXPECT_LE(longest(table), 100U);
    EXPECT_THAT(table, ::testing::Not(HasSubstr("pdl=0")));
    const std::string wide = tune(with({"--wide"})).out;
    for (const char* part : {"pdl=0", "floor_us", "classic_us", "sum  f32"}) EXPECT_THAT(wide, HasSubstr(part));
    EXPECT_THAT(tune(with({"--format", "csv"})).out, HasSubstr("pdl=0"));
}

TEST_F(TuneOnRecording, ListsTakeCommasAndSpaces) {
    const Outcome spaces =
        tune({"--size", "1Ki,2Ki", "--regime", "cold", "warm", "--family", "single_block", "grid_stride", "--plan"});
    EXPECT_EQ(spaces.exit_code, done) << spaces.err;
    EXPECT_THAT(spaces.out, ::testing::AllOf(HasSubstr("cold"), HasSubstr("warm")));
    EXPECT_EQ(
        tune({"--size", "1Ki,2Ki", "--regime", "cold,warm", "--family", "single_block,grid_stride", "--plan"}).out,
        spaces.out);
    for (const std::vector<std::string>& types : {std::vector<std::string>{"f32", "i32"}, {"f32,i32"}}) {
        std::vector<std::string> arguments = {"--size", "1Ki", "--plan", "--dtype"};
        arguments.insert(arguments.end(), types.begin(), types.end());
        EXPECT_THAT([&] { tune(arguments); }, ::testing::ThrowsMessage<InputError>(HasSubstr("sum of i32")))
            << "the second type is read, and was not recorded";
    }
}

TEST_F(TuneOnRecording, SaysHowManyWereStoppedEarly) {
    const Outcome outcome = tune({"--size", "16Mi", "--effort", "quick"});
    EXPECT_THAT(outcome.err,
                ::testing::ContainsRegex("[0-9]+ of [0-9]+ candidates screened: [1-9][0-9]* stopped early, "
                                         "[1-9][0-9]* pruned unmeasured"));
    EXPECT_THAT(tune({"--size", "16Mi", "--effort", "quick"}).err, ::testing::Not(HasSubstr("stopped early")));
}

TEST_F(TuneOnRecording, ABudgetEndsTheSweepWithAWinnerOfEachSize) {
    const std::vector<std::string> arguments{"--size", "1Ki,64Ki,1Mi", "--budget", "1ms", "--format", "csv"};
    const Outcome outcome = tune(arguments);
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_THAT(outcome.err, HasSubstr("The time of --budget is over; the same command continues from here."));
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 4) << "a heading and three sizes";
    const Outcome strategy = tune({"--size", "1Ki", "--effort", "standard", "--strategy", "local", "--between", "0"});
    EXPECT_THAT(strategy.err, HasSubstr("100 of "));
    const db::Store store = db::Store::open(folder_ / "test.db", db::Access::read_only);
    EXPECT_THAT(store.connection().text("SELECT command FROM sweeps ORDER BY sweep_id DESC LIMIT 1"),
                HasSubstr(" --effort standard --between 0 --checks 8 --strategy local"));
}

TEST_F(TuneOnRecording, ASecondRunDoesNothingAndSaysSo) {
    const Outcome first = tune({"--size", "1Ki..4Ki"});
    const Outcome second = tune({"--size", "1Ki..4Ki"});
    EXPECT_THAT(first.err, ::testing::Not(HasSubstr("nothing to do")));
    EXPECT_THAT(second.err, HasSubstr("Everything is measured already: nothing to do."));
    EXPECT_EQ(second.out, first.out) << "the summary is there all the same";
}

TEST_F(TuneOnRecording, TheTimingFollowsTheWinners) {
    const std::vector<std::string> quick{"--size", "64Ki", "--effort", "quick", "--between", "0", "--checks", "0"};
    std::vector<std::string> timed = quick;
    timed.emplace_back("--timing");
    const std::string table = tune(timed).out;
    EXPECT_THAT(table, ContainsRegex("tile_per_block(.|\n)*\n\ngpu +activity +count +seconds +percent\n"));
    EXPECT_THAT(table, ContainsRegex("\nbusy +screening +32 "));
    EXPECT_THAT(table, ContainsRegex("\n +after the first kernel +- +[0-9.]+ +100.0\n"));
    EXPECT_THAT(tune(quick).out, ::testing::Not(HasSubstr("first kernel")));
}

TEST_F(TuneOnRecording, InCsvAndJsonTheTimingIsOnStderr) {
    for (const std::string format : {"csv", "json"}) {
        const std::vector<std::string> plain{"--size", "64Ki", "--effort", "quick", "--format", format};
        std::vector<std::string> timed = plain;
        timed.emplace_back("--timing");
        const Outcome outcome = tune(timed);
        EXPECT_EQ(outcome.out, tune(plain).out);
        EXPECT_THAT(outcome.err, HasSubstr(format == "csv" ? "\nop,dtype,shape,gpu,activity,count,seconds,percent\r\n"
                                                           : "\"activity\": \"checks and timings\""));
    }
}

TEST_F(TuneOnRecording, WithPlanOnlyThePlanIsPrinted) {
    const Outcome outcome = tune({"--size", "1Ki..64Ki", "--plan"});
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_THAT(outcome.out, HasSubstr("7 (sizes x regimes), 0 done already"));
}

TEST_F(TuneOnRecording, APlanCountsTheCandidatesOfEverySize) {
    // The expected counts follow from the front matter of the two families. Configurations of one kernel with equal
    // grids are one candidate.
    std::size_t expected = 0;
    for (const std::uint64_t n : {std::uint64_t{1} << 10, std::uint64_t{1} << 20, std::uint64_t{1} << 30}) {
        for (const std::uint64_t block : {64, 128, 256, 512, 1024}) {
            const std::size_t sequential = 1;
            std::set<std::uint64_t> multi_add_grids;
            for (const std::uint64_t blocks : {256, 512, 1024, 2048}) {
                multi_add_grids.insert(std::min(blocks, (n + 4 * block - 1) / (4 * block)));
            }
            expected += sequential + multi_add_grids.size();
        }
    }
    const Outcome outcome = tune({"--size", "1Ki,1Mi,1Gi", "--family", "shared_sequential,shared_multi_add", "--plan"});
    EXPECT_THAT(outcome.out, HasSubstr("candidates  " + std::to_string(expected) + ", 0 measured already"));
}

TEST_F(TuneOnRecording, OnlyTheRequestedFamiliesAreMeasured) {
    const Outcome outcome = tune({"--size", "64Ki", "--family", "shared_sequential,grid_stride_wide"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("tile_per_block(")));
    const db::Store store = db::Store::open(folder_ / "test.db", db::Access::read_only);
    EXPECT_EQ(store.connection().text("SELECT group_concat(DISTINCT family) FROM (SELECT family FROM measurements "
                                      "ORDER BY family)"),
              "grid_stride_wide,shared_sequential");
    // A later tune without --family measures the other families, and the stored measurements take part.
    EXPECT_THAT(tune({"--size", "64Ki"}).out, HasSubstr("tile_per_block("));
}

TEST_F(TuneOnRecording, TheSweepKeepsTheOptionsAsTheyWereGiven) {
    tune({"--size", "1Ki", "--effort", "quick", "--no-resume", "--family", "shared_sequential", "--template",
          test::source_path("examples/contiguous.cuh")});
    const db::Store store = db::Store::open(folder_ / "test.db", db::Access::read_only);
    EXPECT_THAT(
        store.connection().text("SELECT command FROM sweeps"),
        HasSubstr(
            "tune --op sum --dtype f32 --shape whole --determinism any --template " +
            test::source_path("examples/contiguous.cuh") +
            " --size 1Ki --regime cold --effort quick --between 3 --checks 8 --family shared_sequential --no-resume"));
}

TEST_F(TuneOnRecording, RequestsThatWereNotRecordedAreRefusedBeforeADatabaseIsCreated) {
    const auto refused = [&](const std::vector<std::string>& arguments, const std::vector<std::string>& phrases) {
        try {
            tune(arguments);
            ADD_FAILURE() << ::testing::PrintToString(arguments);
        } catch (const InputError& error) {
            for (const std::string& phrase : phrases) EXPECT_THAT(error.what(), ContainsRegex(phrase));
        }
        EXPECT_FALSE(std::filesystem::exists(folder_ / "test.db")) << ::testing::PrintToString(arguments);
    };
    const std::string recorded =
        "it has sum of f32, whole \\(cold: [0-9]+ sizes from 256 to 1Gi; warm: [0-9]+ sizes from 256 to 4Mi";
    refused({"--size", "1Ki", "--shape", "rows:32"}, {"of sum of f32, rows:32, cold", recorded});
    refused({"--size", "1Ki", "--op", "product"}, {"of product of f32, whole, cold", recorded});
    refused({"--size", "1Mi", "--dtype", "u16"}, {"of sum of u16, whole, cold", recorded});
    refused({"--dtype", "f16"}, {"n = 1Ki cannot be measured", "of sum of f16, whole, cold", recorded});
    refused({"--size", "1Ki", "--dtype", "f32,i32"}, {"of sum of i32, whole, cold"});
    refused({"--size", "1000"},
            {"n = 1000 cannot be measured", "sum of f32, whole, cold only at [0-9]+ sizes from 256 to 1Gi"});
    refused({"--size", "1Gi", "--regime", "cold,warm"},
            {"sum of f32, whole, warm only at [0-9]+ sizes from 256 to 4Mi"});
    const std::string families = "it has bulk, grid_stride, grid_stride_wide, ";
    refused({"--size", "1Mi", "--template", test::source_path("examples/contiguous.cuh")},
            {"family contiguous cannot be measured: the recording nvidia-h200", families});
    refused({"--size", "1Mi", "--family", "tile_per_block,neighbored"}, {"family neighbored", families});
    refused({"--size", "1Mi", "--dtype", "f16", "--plan"}, {"of sum of f16"});
}

TEST_F(TuneOnRecording, WrongInputIsRefusedBeforeADatabaseIsCreated) {
    const auto refused = [&](const std::vector<std::string>& arguments, const char* phrase) {
        EXPECT_THAT([&] { tune(arguments); }, ::testing::ThrowsMessage<InputError>(HasSubstr(phrase)))
            << ::testing::PrintToString(arguments);
    };
    refused({"--op", "summ"}, "allowed are sum, product");
    refused({"--accumulator", "i32"}, "allowed are f32 to f32");
    refused({"--output", "f16"}, "allowed are f32 to f32");
    refused({"--shape", "rows:0"}, "'whole', 'rows:LENGTH'");
    refused({"--effort", "wrong"}, "allowed are quick, standard, thorough, exhaustive");
    refused({"--strategy", "bean"}, "did you mean 'beam'");
    refused({"--op-file", "/nonexistent/own.cuh"}, "cannot be read");
    refused({"--op-file", test::source_path("examples/contiguous.cuh")}, "contiguous.cuh:2: there is no key 'family'");
    refused({"--template", "/nonexistent/own.cuh"}, "cannot be read");
    refused({"--template", test::source_path("examples/sum_of_cubes.cuh")}, "sum_of_cubes.cuh:2: there is no key");
    refused({"--family", "streem"}, "there is no family 'streem'; there are ");
    EXPECT_THROW(tune({"--op", "sum", "--op-file", "own.cuh"}), CLI::ParseError);
    EXPECT_THROW(tune({"--dtype", "f31"}), InputError);
    for (const char* budget : {"soon", "0s", "-1s", "30 parsecs"}) {
        EXPECT_THROW(tune({"--budget", budget}), CLI::ParseError) << budget;
    }
    EXPECT_THROW(tune({"--size", "4Ki..1Ki"}), InputError);
    EXPECT_THROW(tune({"--regime", "tepid"}), InputError);
    EXPECT_THROW(tune({"--determinism", "some"}), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "test.db"));
}

TEST_F(TuneOnRecording, TheSelfTestOfARecordingAgreesAndStoresNothing) {
    const Outcome outcome = tune({"--self-test=2", "--size", "1Ki,64Ki", "--format", "csv"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("replay:nvidia-h200,sum,f32,whole,1Ki,1024,\"single_block(block=128,"));
    EXPECT_THAT(outcome.out, HasSubstr(",0,2,0,0,0\r\n"));
    EXPECT_THAT(outcome.err, HasSubstr("agree; those of a recording always do, so this says nothing of a GPU."));
    EXPECT_THAT(outcome.err, HasSubstr("Nsight Compute's durations were not compared: a recording has none."));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "test.db"));
}

TEST_F(TuneOnRecording, TheSelfTestHasFourSizesAndQuickEffortUnlessOthersAreGiven) {
    const Outcome outcome = tune({"--self-test", "--format", "csv"});
    EXPECT_EQ(std::ranges::count(outcome.out, '\n'), 5);
    EXPECT_THAT(outcome.err, HasSubstr("[32/"));
}

TEST_F(TuneOnRecording, TheSelfTestTakesOneRegimeAndOneKindOfData) {
    for (const char* several : {"--regime=cold,warm", "--data=uniform,outlier"}) {
        EXPECT_THAT(
            [&] {
                tune({"--self-test=2", several});
            },
            ::testing::ThrowsMessage<InputError>(HasSubstr("takes one regime and one kind of data")));
    }
    // The recording has no times of 1 Ki elements back to back, and none on outliers. So the messages show that the
    // self-test takes the regime and the data that it is given.
    EXPECT_THAT(
        [&] {
            tune({"--self-test=2", "--size=1Ki", "--regime=back_to_back"});
        },
        ::testing::ThrowsMessage<InputError>(HasSubstr("back_to_back only at")));
    EXPECT_THAT(tune({"--self-test=2", "--size=1Ki", "--data=outlier"}).err, HasSubstr("on other data too (outlier)"));
}

TEST_F(TuneOnRecording, TheSelfTestNeedsARaceAndMeasures) {
    for (const char* races : {"0", "-1", "many", "1000001"}) {
        EXPECT_THROW(tune({std::string("--self-test=") + races}), CLI::ValidationError) << races;
    }
    EXPECT_THROW(tune({"--self-test", "--plan"}), CLI::ExcludesError);
}

}  // namespace
}  // namespace redtune::cli
