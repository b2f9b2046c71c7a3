#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Runs `simulate` on the shipped recording.
class SimulateCommandTest : public ::testing::Test {
  protected:
    static Outcome simulate(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "simulate");
        return run_command(add_simulate_command, arguments);
    }

    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::shipped_data()};
};

TEST_F(SimulateCommandTest, ShowsTheRegretOfEachStrategyAndBudget) {
    const Outcome outcome = simulate({"--size", "64Ki", "--seeds", "2", "--budget", "100,20"});
    EXPECT_EQ(outcome.out, test::golden("simulate_table.txt", outcome.out));
    EXPECT_THAT(outcome.err, HasSubstr("sum of f32 on NVIDIA H200, cold: 1 size"));
}

TEST_F(SimulateCommandTest, SearchesOnlyTheStrategiesAndSizesThatWereAsked) {
    const Outcome outcome = simulate({"--size", "1Ki..2Ki", "--strategy", "random", "--seeds", "1", "--budget", "10",
                                      "--known", "neighbours", "--format", "json"});
    const json rows = json::parse(outcome.out);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0]["strategy"], "random");
    EXPECT_EQ(rows[0]["budget"], 10);
    EXPECT_EQ(rows[0]["screenings"], 10);
    EXPECT_GE(rows[0]["max_percent"], rows[0]["regret_percent"]);
    EXPECT_THAT(outcome.err, HasSubstr(": 2 sizes"));
}

TEST_F(SimulateCommandTest, RefusesWhatItCannotSearch) {
    EXPECT_THAT(
        [] {
            simulate({"--strategy", "locale"});
        },
        ThrowsMessage<InputError>(HasSubstr("did you mean 'local'")));
    EXPECT_THAT(
        [] {
            simulate({"--known", "all"});
        },
        ThrowsMessage<InputError>(HasSubstr("allowed are nothing, neighbours, earlier")));
    EXPECT_THAT(
        [] {
            simulate({"--size", "12345"});
        },
        ThrowsMessage<InputError>(HasSubstr("no recorded size to search: the recording nvidia-h200 has sum")));
    EXPECT_THAT(
        [] {
            simulate({"--dtype", "f16"});
        },
        ThrowsMessage<InputError>(HasSubstr("it has sum of f32, whole (cold: ")));
    EXPECT_THAT([] { simulate({"--dtype", "f32,f16"}); }, ThrowsMessage<InputError>(HasSubstr("give one --dtype")));
    EXPECT_THAT([] { simulate({"--device", "replay:none"}); }, ThrowsMessage<InputError>(HasSubstr("nvidia-h200")));
}

}  // namespace
}  // namespace redtune::cli
