#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/fake_ncu.h"
#include "tests/support/golden.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

class ExplainTest : public testing::Test {
  protected:
    ExplainTest() {
        // The winner is unroll=4 with 10 us; the finalists unroll=2 and unroll=8 take 10.4 and 10.2 us.
        db::Store store = db::Store::open(folder_ / "user.db", db::Access::read_write);
        const std::int64_t sweep = store.begin_sweep(db::h200(), {}, db::toolchain(), "gpu", "redtune tune");
        const auto record = [&](std::int64_t unroll, double time_us, Stage stage) {
            const auto tried = db::candidate(unroll);
            return store.record(sweep, tried, "hash", 1 << 20, Regime::cold, make_plan(tried.rule, 1 << 20),
                                db::measurement(time_us, stage));
        };
        record(16, 13, Stage::screen);
        record(4, 10.4, Stage::screen);
        record(2, 10.4, Stage::final);
        record(8, 10.2, Stage::final);
        const std::int64_t winner = record(4, 10, Stage::final);
        store.set_winner(sweep, 1 << 20, Regime::cold, Determinism::any, winner, "time", 1.02);
        store.finish_sweep(sweep, "finished");
    }

    static Outcome explain(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "explain");
        return run_command([](CLI::App& app, int& exit_code) { add_explain_command(app, exit_code); }, arguments);
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", folder_.path().c_str()};
    db::ScopedVariable user_{"REDTUNE_DB", (folder_ / "user.db").string()};
};

TEST_F(ExplainTest, NamesRunnerUpParametersAndLimit) {
    const Outcome outcome = explain({"--n", "1Mi", "--device", "h200", "--format", "json"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    const json answer = json::parse(outcome.out).at(0);
    EXPECT_EQ(answer["rung"], "exact");
    EXPECT_EQ(answer["parameters"]["unroll"], 4);
    EXPECT_EQ(answer["time_us"], 10);
    EXPECT_LT(answer["interval_us"][0], answer["interval_us"][1]);
    EXPECT_DOUBLE_EQ(answer["runner_up"]["ratio"], 1.02);
    EXPECT_EQ(answer["runner_up"]["parameters"]["unroll"], 8);
    EXPECT_EQ(answer["candidates"], 4);
    const json unroll = answer["parameter_worth"].at(1);
    EXPECT_EQ(unroll["parameter"], "unroll");
    ASSERT_EQ(unroll["others"].size(), 3U);
    EXPECT_EQ(unroll["others"][0]["value"], 8);
    EXPECT_DOUBLE_EQ(unroll["others"][0]["ratio"], 1.02);
    EXPECT_EQ(unroll["others"][2]["value"], 16);
    EXPECT_DOUBLE_EQ(unroll["others"][2]["ratio"], 1.25) << "both times of the screening";
    EXPECT_EQ(answer["parameter_worth_from"], "user");
    EXPECT_NEAR(answer["memory_us"], 4.0 * (1 << 20) / 4814e3, 1e-9);
    EXPECT_EQ(answer["limit_us"], answer["floor_us"]) << "an empty kernel takes longer than the input";
}

TEST_F(ExplainTest, PrintsTables) {
    const Outcome outcome = explain({"--n", "1Mi", "--device", "h200", "--wide"});
    EXPECT_EQ(outcome.out, test::golden("explain_table.txt", outcome.out));
    const Outcome csv = explain({"--n", "1Mi", "--device", "h200", "--format", "csv"});
    EXPECT_EQ(csv.out, test::golden("explain_csv.txt", csv.out));
}

TEST_F(ExplainTest, QueryWhyPrintsTheSame) {
    const std::string explained = explain({"--n", "1Mi", "--device", "h200"}).out;
    EXPECT_EQ(run_command(add_query_command, {"query", "--n", "1Mi", "--device", "h200", "--why"}).out, explained);
}

TEST_F(ExplainTest, SaysWhichRungAnsweredOnSeveralDevices) {
    const Outcome outcome = explain({"--n", "2Mi", "--device", "h200", "--device", "NVIDIA L4"});
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("beyond: the winner of n = 1Mi"), HasSubstr("NVIDIA L4")));
    const json answers =
        json::parse(explain({"--n", "2Mi", "--device", "h200", "--device", "NVIDIA L4", "--format", "json"}).out);
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[1]["device"], "NVIDIA L4");
    EXPECT_EQ(answers[1]["rung"], "default_rule") << "no candidate of an L4 has half a block per SM";
    EXPECT_FALSE(answers[1].contains("time_us"));
}

TEST_F(ExplainTest, ARuleOfThumbHasNoMeasurements) {
    const Outcome outcome = explain({"--n", "1Mi", "--device", "h200", "--shape", "rows:32"});
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("a rule of thumb"), Not(HasSubstr("runner_up"))));
}

TEST_F(ExplainTest, SaysWhatShippedWinnersDoNotHold) {
    const db::ScopedVariable data("REDTUNE_SYSTEM_DATA", test::shipped_data());
    const db::ScopedVariable user("REDTUNE_DB", (folder_ / "none.db").string());
    const Outcome max = explain({"--op", "max", "--n", "3000000", "--device", "h200"});
    EXPECT_THAT(max.err, HasSubstr("No stored candidate differs from the winner in one parameter only"));
    EXPECT_THAT(max.out, AllOf(HasSubstr("the samples are not stored"), HasSubstr("runner_up")));
    const json sum = json::parse(explain({"--n", "1Mi", "--device", "h200", "--format", "json"}).out).at(0);
    EXPECT_EQ(sum["layer"], "shipped");
    EXPECT_EQ(sum["parameter_worth_from"], "recording");
    EXPECT_GT(sum["candidates"], 100);
    EXPECT_GT(sum["regret_sizes"], 0);
}

TEST_F(ExplainTest, ShowsHardwareCounters) {
    const test::FakeNcu ncu("two_launches.csv");
    const auto explain_here = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"explain", "--counters", "--n", "1Mi", "--device", "h200"});
        const auto add = [](CLI::App& app, int& exit_code) {
            add_explain_command(app, exit_code, [](std::string_view name) { return name == "NVIDIA H200" ? 2 : -1; });
        };
        return run_command(add, arguments);
    };
    const Outcome table = explain_here({});
    EXPECT_EQ(table.exit_code, done) << table.err;
    EXPECT_THAT(table.out, AllOf(HasSubstr("runner_up"), HasSubstr("tile_per_block  combine_partials"),
                                 HasSubstr("instructions/warp              76.5")));
    EXPECT_THAT(ncu.arguments(),
                AllOf(HasSubstr("\"ordinal\":2"), HasSubstr("\"unroll\":4"), HasSubstr("\"n\":1048576")));
    const json answer = json::parse(explain_here({"--format", "json"}).out).at(0);
    ASSERT_EQ(answer["counters"].size(), 2U);
    EXPECT_EQ(answer["counters"][0]["kernel"], "tile_per_block");
    EXPECT_EQ(answer["counters"][0]["occupancy_percent"], 43.5);
    EXPECT_TRUE(answer["counters"][1]["load_efficiency_percent"].is_null());
    EXPECT_THAT([&] { explain_here({"--format", "csv"}); }, ThrowsMessage<InputError>(HasSubstr("take --format json")));
    const Outcome elsewhere = explain_here({"--device", "NVIDIA L4"});
    EXPECT_EQ(elsewhere.exit_code, no_device);
    EXPECT_THAT(elsewhere.err, HasSubstr("\"NVIDIA L4\" is not in this machine"));
    EXPECT_THAT(elsewhere.out, HasSubstr("runner_up")) << "the explanation itself needs no GPU";
}

TEST_F(ExplainTest, ErrorsNameWhatIsWrong) {
    EXPECT_THAT(
        [] {
            explain({"--op", "smu", "--n", "1Mi", "--device", "h200"});
        },
        ThrowsMessage<InputError>(HasSubstr("did you mean 'sum'?")));
    EXPECT_THAT(
        [] {
            explain({"--n", "1Mi", "--device", "h200", "--db", "/none.db"});
        },
        ThrowsMessage<DatabaseError>(HasSubstr("no database at /none.db")));
}

}  // namespace
}  // namespace redtune::cli
