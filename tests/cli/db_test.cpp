#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/Error.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "db/connection.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

class DbCommandTest : public testing::Test {
  protected:
    DbCommandTest() { std::filesystem::create_directory(folder_ / "shipped"); }

    static Outcome run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "db");
        return run_command(add_db_command, arguments);
    }

    /// Makes a database with two winners and one failure.
    static void fill(const std::filesystem::path& file) {
        db::Store store = db::Store::open(file, db::Access::read_write);
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::cold, db::candidate(4), 10);
        db::add_winner(store, db::h200(), {}, 1 << 24, Regime::warm, db::candidate(8), 20);
        Measurement failure;
        failure.status = Status::wrong;
        failure.reason = "expected 1, got 2";
        const std::int64_t sweep = store.begin_sweep(db::h200(), {}, db::toolchain(), "gpu", "redtune tune --all");
        store.record(sweep, db::candidate(), "hash", 5, Regime::cold, make_plan(db::candidate().rule, 5), failure);
    }

    db::TemporaryFolder folder_;
    std::filesystem::path user_ = folder_ / "user.db";
    db::ScopedVariable file_{"REDTUNE_DB", user_.c_str()};
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", (folder_ / "shipped").c_str()};
};

TEST_F(DbCommandTest, PathNamesTheFileEvenIfItDoesNotExist) {
    json rows = json::parse(run({"path", "--format", "json"}).out);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0]["path"], user_.string());
    EXPECT_EQ(rows[0]["exists"], false);
    EXPECT_TRUE(rows[0]["size_bytes"].is_null());
    EXPECT_FALSE(std::filesystem::exists(user_));

    fill(user_);
    fill(folder_ / "shipped/h200.winners.db");
    rows = json::parse(run({"path", "--format", "json"}).out);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["journal_mode"], db::Store::open(user_, db::Access::read_only).journal_mode());
    EXPECT_EQ(rows[0]["size_bytes"], std::filesystem::file_size(user_));
    EXPECT_EQ(rows[1]["layer"], "shipped");
    fill(folder_ / "shipped/h200.recording.db");
    rows = json::parse(run({"path", "--format", "json"}).out);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[2]["layer"], "recording");
    EXPECT_EQ(json::parse(run({"path", "--db", "other.db", "--format", "json"}).out)[0]["path"], "other.db");
}

TEST_F(DbCommandTest, AMissingFileIsAnErrorThatNamesTheCommandThatCreatesIt) {
    for (const char* command : {"stats", "list", "show", "check"}) {
        EXPECT_THAT([&] { run({command}); },
                    ThrowsMessage<DatabaseError>(HasSubstr("no database at " + user_.string())))
            << command;
        EXPECT_THAT(
            [&] {
                run({command, "--db", "none.db"});
            },
            ThrowsMessage<DatabaseError>(HasSubstr("`redtune tune` makes one")))
            << command;
    }
}

TEST_F(DbCommandTest, WithoutAUsersDatabaseReadsTheShippedDataAndSaysSo) {
    fill(folder_ / "shipped/h200.winners.db");
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"stats"}, {"list"}, {"show"}, {"show", "1"}, {"show", "--failures"}, {"check"}}) {
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.exit_code, done) << command.back();
        EXPECT_THAT(outcome.out, HasSubstr("shipped")) << command.back();
        EXPECT_THAT(outcome.err, HasSubstr("shipped data")) << command.back();
    }
    fill(user_);
    EXPECT_EQ(run({"list"}).err, "");
}

TEST_F(DbCommandTest, AReplayedWinnerHidesNoShippedOne) {
    fill(folder_ / "shipped/h200.winners.db");
    {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        const std::int64_t sweep =
            store.begin_sweep(db::h200(), {}, db::toolchain(), "replay:nvidia-h200", "redtune tune");
        for (const std::uint64_t n : {1 << 20, 1 << 21}) {
            const LaunchPlan plan = make_plan(db::candidate(4).rule, n);
            const std::int64_t id =
                store.record(sweep, db::candidate(4), "hash", n, Regime::cold, plan, db::measurement(9));
            store.set_winner(sweep, n, Regime::cold, Determinism::any, id, "median", std::nullopt);
        }
    }
    std::vector<std::pair<std::string, int>> listed;
    for (const json& row : json::parse(run({"list", "--format", "json"}).out)) {
        listed.emplace_back(row["layer"], row["n"]);
    }
    EXPECT_THAT(listed, testing::ElementsAre(std::pair("shipped", 1 << 20), std::pair("user", 1 << 21),
                                             std::pair("shipped", 1 << 24)));
}

TEST_F(DbCommandTest, EveryCommandReadsBothLayers) {
    fill(folder_ / "shipped/h200.winners.db");
    {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::cold, db::candidate(4), 9);
    }
    for (const std::vector<std::string>& command : {std::vector<std::string>{"stats"}, {"list"}, {"show"}, {"check"}}) {
        const Outcome outcome = run(command);
        EXPECT_EQ(outcome.err, "") << command.back();
        EXPECT_THAT(outcome.out, HasSubstr("user")) << command.back();
        EXPECT_THAT(outcome.out, HasSubstr("shipped")) << command.back();
    }
    EXPECT_THAT(run({"show", "--failures"}).out, HasSubstr("expected 1, got 2"));
    const json winners = json::parse(run({"list", "--format", "json"}).out);
    ASSERT_EQ(winners.size(), 2U) << "the user's winner hides the shipped one of the same size";
    EXPECT_EQ(winners[0]["layer"], "user");
    EXPECT_EQ(winners[0]["time_us"], 9);
    EXPECT_EQ(winners[1]["layer"], "shipped");
    EXPECT_EQ(winners[1]["n"], 1 << 24);
}

TEST_F(DbCommandTest, AnIdIsSearchedInTheUsersFileFirst) {
    fill(folder_ / "shipped/h200.winners.db");
    {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::cold, db::candidate(4), 9);
    }
    const Outcome both = run({"show", "1", "--format", "json"});
    EXPECT_EQ(json::parse(both.out).at(0)["layer"], "user");
    EXPECT_THAT(both.err, HasSubstr("db show 1 --db " + (folder_ / "shipped/h200.winners.db").string()));
    EXPECT_EQ(json::parse(run({"show", "3", "--format", "json"}).out).at(0)["layer"], "shipped");
    EXPECT_EQ(
        json::parse(run({"show", "1", "--db", (folder_ / "shipped/h200.winners.db").string(), "--format", "json"}).out)
            .at(0)["layer"],
        "given");
}

TEST_F(DbCommandTest, AWinnerForBothDeterminismsIsOneRow) {
    {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::cold, db::candidate(4), 9);
        store.set_winner(1, 1 << 20, Regime::cold, Determinism::run_to_run, 1, "time", std::nullopt);
    }
    const json rows = json::parse(run({"list", "--format", "json"}).out);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0]["determinism"], "any, run_to_run");
}

TEST_F(DbCommandTest, AFolderIsNoDatabase) {
    const db::ScopedVariable folder("REDTUNE_DB", folder_.path().c_str());
    for (const char* command : {"path", "stats", "list", "show", "check"}) {
        EXPECT_THAT([&] { run({command}); },
                    ThrowsMessage<DatabaseError>(HasSubstr(folder_.path().string() + " is a folder")))
            << command;
    }
}

TEST_F(DbCommandTest, StatsCountsMeasurementsAndFailures) {
    fill(user_);
    const json rows = json::parse(run({"stats", "--format", "json"}).out);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["regime"], "cold");
    EXPECT_EQ(rows[0]["measurements"], 2);
    EXPECT_EQ(rows[0]["failures"], 1);
    EXPECT_EQ(rows[0]["smallest_n"], 5);
    EXPECT_THAT(run({"stats"}).out, HasSubstr("16Mi"));
}

TEST_F(DbCommandTest, ListFiltersAndItsJsonHasAllColumns) {
    fill(user_);
    EXPECT_EQ(json::parse(run({"list", "--format", "json"}).out).size(), 2U);
    const json warm = json::parse(run({"list", "--regime", "warm", "--format", "json"}).out);
    ASSERT_EQ(warm.size(), 1U);
    for (const char* column :
         {"device", "op", "dtype", "n", "bytes", "regime", "determinism", "family", "parameters", "grid", "block",
          "time_us", "gb_per_s", "share_of_peak", "floor_us", "samples", "interquartile_us", "measured_at"}) {
        EXPECT_TRUE(warm[0].contains(column)) << column;
    }
    EXPECT_EQ(warm[0]["n"], 1 << 24);
    EXPECT_THAT(run({"list"}).out, Not(HasSubstr("interquartile_us")));
    EXPECT_THROW(run({"list", "--regime", "lukewarm"}), InputError);
}

TEST_F(DbCommandTest, ListAndShowPrintTheShape) {
    fill(user_);
    {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        Problem rows = make_problem("dot", Type::f16);
        rows.row_length = 32;
        db::add_winner(store, db::h200(), rows, 1 << 20, Regime::cold, db::candidate(4), 10);
    }
    for (const char* format : {"table", "md"}) {
        const std::string list = run({"list", "--format", format}).out;
        EXPECT_THAT(list, HasSubstr("shape"));
        EXPECT_THAT(list, HasSubstr("whole"));
        EXPECT_THAT(list, HasSubstr("rows:32"));
        EXPECT_THAT(run({"show", "--format", format}).out, HasSubstr("rows:32"));
    }
    const json dot = json::parse(run({"list", "--op", "dot", "--format", "json"}).out);
    ASSERT_EQ(dot.size(), 1U);
    EXPECT_EQ(dot[0]["shape"], "rows:32");
    EXPECT_EQ(dot[0]["accumulator_type"], "f32");
    EXPECT_EQ(dot[0]["bytes"], 4 << 20);
    EXPECT_THAT(run({"show", std::to_string(dot[0]["measurement_id"].get<int>())}).out, HasSubstr("rows:32"));
}

TEST_F(DbCommandTest, ListOfNothingSaysSo) {
    fill(user_);
    const Outcome outcome = run({"list", "--device", "NVIDIA L4"});
    EXPECT_EQ(outcome.exit_code, nothing_found);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("db stats"));
}

TEST_F(DbCommandTest, ListOfAnUnknownOperatorSuggestsANearName) {
    fill(user_);
    EXPECT_THAT(run({"list", "--op", "SUM"}).err, HasSubstr("did you mean 'sum'?"));
    EXPECT_THAT(run({"list", "--op", "avg"}).err, HasSubstr("did you mean 'mean'?"));
    EXPECT_THAT(run({"list", "--op", "mean"}).err, Not(HasSubstr("did you mean")));
    EXPECT_THROW(run({"list", "--dtype", "float"}), InputError);
}

TEST_F(DbCommandTest, ListTakesAPartOfADevicesName) {
    fill(user_);
    for (const char* name : {"h200", "NVIDIA H200", "nvidia-h200"}) {
        EXPECT_EQ(json::parse(run({"list", "--device", name, "--format", "json"}).out).size(), 2U) << name;
    }
    const Outcome unknown = run({"list", "--device", "H20O"});
    EXPECT_EQ(unknown.exit_code, nothing_found);
    EXPECT_THAT(unknown.err, HasSubstr("did you mean 'H200'?"));
    EXPECT_THROW(run({"list", "--device", "99"}), DeviceError) << "there is no GPU of this number";
    {
        db::Store store = db::Store::open(user_, db::Access::read_write);
        DeviceInfo other = db::h200();
        other.name = "NVIDIA H20";
        other.uuid = "GPU-1";
        db::add_winner(store, other, {}, 1 << 20, Regime::cold, db::candidate(4), 10);
    }
    EXPECT_EQ(json::parse(run({"list", "--device", "NVIDIA H20", "--format", "json"}).out).size(), 1U);
    EXPECT_THAT(
        [&] {
            run({"list", "--device", "nvidia"});
        },
        ThrowsMessage<InputError>(HasSubstr("give more of the name")));
}

TEST_F(DbCommandTest, TablesFitTheTerminal) {
    const db::ScopedVariable data("REDTUNE_SYSTEM_DATA", test::shipped_data());
    fill(user_);
    for (const std::vector<std::string>& command : {std::vector<std::string>{"list"}, {"stats"}, {"show"}}) {
        std::istringstream lines(run(command).out);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << command[0] << ": " << line;
    }
    const std::string list = run({"list"}).out;
    EXPECT_THAT(list, HasSubstr("configuration"));
    EXPECT_THAT(list, Not(HasSubstr("pdl=0"))) << "the default value of a parameter";
    EXPECT_THAT(run({"list", "--wide"}).out, HasSubstr("\"pdl\":0"));
}

TEST_F(DbCommandTest, ShowsOneMeasurement) {
    fill(user_);
    EXPECT_THAT(run({"show", "1"}).out, HasSubstr("winner_for_determinism"));
    const json rows = json::parse(run({"show", "3", "--format", "json"}).out);
    EXPECT_EQ(rows.at(0)["reason"], "expected 1, got 2");
    EXPECT_EQ(run({"show", "99"}).exit_code, nothing_found);
}

TEST_F(DbCommandTest, ShowsSweepsAndFailures) {
    fill(user_);
    EXPECT_THAT(run({"show", "--wide"}).out, HasSubstr("redtune tune --all"));
    EXPECT_THAT(run({"show", "--failures"}).out, HasSubstr("expected 1, got 2"));
    EXPECT_THROW(run({"show", "1", "--failures"}), CLI::ParseError);
}

TEST_F(DbCommandTest, CheckFailsForAnUnsoundDatabase) {
    fill(user_);
    EXPECT_EQ(run({"check"}).exit_code, done);
    db::Connection::open(user_, db::OpenMode::create).execute("UPDATE measurement SET status_id = 1");
    const Outcome outcome = run({"check"});
    EXPECT_EQ(outcome.exit_code, failed);
    EXPECT_THAT(outcome.out, HasSubstr("it is wrong"));
    EXPECT_THAT(outcome.err, HasSubstr("db check --repair"));
}

TEST_F(DbCommandTest, CheckSaysWhichLayerIsWrong) {
    fill(user_);
    const std::filesystem::path shipped = folder_ / "shipped/h200.winners.db";
    fill(shipped);
    db::Connection::open(shipped, db::OpenMode::create).execute("UPDATE measurement SET status_id = 1");
    const Outcome outcome = run({"check"});
    EXPECT_EQ(outcome.exit_code, failed);
    EXPECT_THAT(outcome.err, HasSubstr(shipped.string() + " is not sound: install redtune again"));
    EXPECT_THAT(outcome.err, Not(HasSubstr(user_.string())));
}

TEST_F(DbCommandTest, CheckRepairsWinnersAfterCopyingTheFile) {
    fill(user_);
    db::Connection::open(user_, db::OpenMode::create).execute("UPDATE winner SET measurement_id = 2 WHERE n = 1 << 20");
    EXPECT_EQ(run({"check"}).exit_code, failed);
    const Outcome outcome = run({"check", "--repair"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("1 were replaced"));
    const std::filesystem::path backup = user_.string() + ".bak-repair-1";
    EXPECT_THAT(outcome.err, HasSubstr(backup.string()));
    EXPECT_EQ(db::Store::open(user_, db::Access::read_only).winners()[0].measurement.id, 1);
    EXPECT_EQ(db::Store::open(backup, db::Access::read_only).winners()[0].measurement.id, 2);
    EXPECT_THAT(run({"check", "--repair"}).err, HasSubstr("nothing to repair"));
    EXPECT_FALSE(std::filesystem::exists(user_.string() + ".bak-repair-2"));
}

TEST_F(DbCommandTest, CheckRepairsCounts) {
    fill(user_);
    db::Connection::open(user_, db::OpenMode::create).execute("UPDATE measurement_count SET measurements = 77");
    EXPECT_THAT(run({"stats"}).out, HasSubstr("77"));
    EXPECT_THAT(run({"check"}).err, HasSubstr("db check --repair"));
    EXPECT_THAT(run({"check", "--repair"}).err, HasSubstr("counts of measurements were wrong"));
    EXPECT_EQ(run({"check"}).exit_code, done);
    EXPECT_THAT(run({"stats"}).out, Not(HasSubstr("77")));
}

TEST_F(DbCommandTest, RepairNeedsAFile) {
    EXPECT_THROW(run({"check", "--repair"}), DatabaseError);
    EXPECT_FALSE(std::filesystem::exists(user_));
}

}  // namespace
}  // namespace redtune::cli
