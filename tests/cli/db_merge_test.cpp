#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/Error.hpp>
#include <nlohmann/json.hpp>

#include "db/connection.h"
#include "db/store.h"
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::ThrowsMessage;

class DbMergeTest : public testing::Test {
  protected:
    static Outcome merge(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"db", "merge"});
        return run_command(add_db_command, arguments);
    }
    static json rows(const std::string& command, const std::string& file) {
        return json::parse(run_command(add_db_command, {"db", command, "--db", file, "--format", "json"}).out);
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    /// Creates a database with a sweep on one unit. Configuration i + 1 is a finalist with the time times[i], and
    /// finalist `winner` wins. GPU-2 is measured later than any other unit.
    void make(const std::string& name, const std::string& unit, const std::vector<double>& times, std::size_t winner) {
        db::Store store = db::Store::open(path(name), db::Access::read_write);
        DeviceInfo device = db::h200();
        device.uuid = unit;
        const std::int64_t sweep = store.begin_sweep(device, {}, db::toolchain(), "gpu", "redtune tune");
        std::vector<std::int64_t> ids;
        for (std::size_t i = 0; i < times.size(); ++i) {
            const auto tried = db::candidate(static_cast<std::int64_t>(i) + 1);
            Measurement taken = db::measurement(times[i]);
            if (unit == "GPU-2") taken.measured_at = "2026-11-21T00:00:00Z";
            ids.push_back(
                store.record(sweep, tried, "hash", 1 << 20, Regime::cold, make_plan(tried.rule, 1 << 20), taken));
        }
        store.set_winner(sweep, 1 << 20, Regime::cold, Determinism::any, ids.at(winner), "time", 1.01);
        store.finish_sweep(sweep, "finished");
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", folder_.path().c_str()};
    db::ScopedVariable user_{"REDTUNE_DB", path("user.db")};
};

TEST_F(DbMergeTest, ShowsUnitsAndSpreadWithTheWinners) {
    make("a.db", "GPU-1", {10, 10.1}, 0);
    make("b.db", "GPU-2", {10.5, 10.2}, 1);
    const Outcome outcome = merge({path("a.db"), path("b.db"), "-o", path("user.db")});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("2 sweeps, 4 measurements, 1 winners, of which 1 rest on several GPUs"));

    const json winner = rows("list", path("user.db")).at(0);
    EXPECT_EQ(winner["units"], 2);
    EXPECT_DOUBLE_EQ(winner["spread"], 1.01) << "on the first unit";
    EXPECT_EQ(json::parse(winner["parameters"].get<std::string>())["unroll"], 2);

    const auto query = [](const std::string& format) {
        return run_command(add_query_command, {"query", "--op", "sum", "--dtype", "f32", "--n", "1Mi", "--device",
                                               "h200", "--format", format})
            .out;
    };
    const json answer = json::parse(query("json"));
    EXPECT_EQ(answer["units"], 2);
    EXPECT_DOUBLE_EQ(answer["spread"], 1.01);
    EXPECT_THAT(query("table"), testing::ContainsRegex("spread +1.01"));

    const std::string id = winner["measurement_id"].dump();
    const Outcome shown = run_command(add_db_command, {"db", "show", id, "--format", "json"});
    EXPECT_THAT(json::parse(shown.out).at(0)["unit_times"].get<std::string>(),
                testing::AllOf(HasSubstr("GPU-1: 10.1 us (1.0100)"), HasSubstr("GPU-2: 10.2 us (1.0000)")));
}

TEST_F(DbMergeTest, OneUnitHasNoSpread) {
    make("user.db", "GPU-1", {10, 10.1}, 0);
    const json winner = rows("list", path("user.db")).at(0);
    EXPECT_EQ(winner["units"], 1);
    EXPECT_TRUE(winner["spread"].is_null());
    const Outcome csv = run_command(add_query_command, {"query", "--op", "sum", "--dtype", "f32", "--n", "1Mi",
                                                        "--device", "h200", "--format", "csv"});
    EXPECT_THAT(csv.out, testing::HasSubstr(",1,,"));
}

TEST_F(DbMergeTest, LookUpsOfADeviceWithASliceKeepTheWholeGpu) {
    make("a.db", "GPU-1", {10, 10.1}, 0);
    make("b.db", "GPU-2", {10.5, 10.2}, 1);
    {
        db::Store store = db::Store::open(path("slice.db"), db::Access::read_write);
        DeviceInfo slice = db::h200();
        slice.sm_count = 16;
        slice.mig_profile = "1g.18gb";
        db::add_winner(store, slice, {}, 1 << 20, Regime::cold, db::candidate(8), 80);
    }
    merge({path("slice.db"), path("a.db"), path("b.db"), "-o", path("user.db")});
    const Catalog catalog = Catalog::open();
    const auto match = catalog.find(Problem(), 1 << 20, "NVIDIA H200");
    ASSERT_TRUE(match);
    EXPECT_EQ(match->units, 2U);
    EXPECT_DOUBLE_EQ(match->expected_us, 10.2) << "on the unit that was measured last";
}

TEST_F(DbMergeTest, AddsToADatabaseInPlace) {
    make("a.db", "GPU-1", {10, 10.1}, 0);
    make("b.db", "GPU-2", {10.5, 10.2}, 1);
    for (int repetition = 0; repetition < 2; ++repetition) {
        const Outcome outcome = merge({path("b.db"), "--db", path("a.db")});
        EXPECT_EQ(outcome.exit_code, done) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("2 sweeps, 4 measurements, 1 winners, of which 1 rest on several GPUs"));
    }
    EXPECT_EQ(rows("list", path("a.db")).at(0)["units"], 2);
    EXPECT_THROW(merge({path("b.db"), "--db", path("a.db"), "-o", path("c.db")}), CLI::ParseError);
    EXPECT_THAT([&] { merge({path("b.db")}); }, ThrowsMessage<CLI::ParseError>(HasSubstr("--db FILE")));
}

TEST_F(DbMergeTest, ErrorsSayWhatToDo) {
    make("a.db", "GPU-1", {10}, 0);
    EXPECT_THROW(merge({"-o", path("out.db")}), CLI::ParseError);
    EXPECT_THROW(merge({path("a.db")}), CLI::ParseError);
    EXPECT_THAT(
        [&] {
            merge({path("none.db"), "-o", path("out.db")});
        },
        ThrowsMessage<DatabaseError>(HasSubstr("no database at " + path("none.db"))));
    EXPECT_FALSE(std::filesystem::exists(path("out.db")));
    EXPECT_THAT([&] { merge({path("a.db"), "-o", path("a.db")}); }, ThrowsMessage<InputError>(HasSubstr("--force")));
    EXPECT_EQ(merge({path("a.db"), "-o", path("a.db"), "--force"}).exit_code, done);
    EXPECT_TRUE(std::filesystem::exists(path("a.db.bak-merge-1")));
    EXPECT_THROW(merge({path("a.db"), "-o", path("no-folder/../a.db/x.db")}), DatabaseError);
}

/// Returns every row of the tables whose contents a merge decides.
std::vector<std::string> rows_of(const std::string& file) {
    const db::Connection connection = db::Connection::open(file, db::OpenMode::read_only);
    std::vector<std::string> lines;
    for (const char* table : {"sweep", "measurement", "unit_winner", "winner"}) {
        db::Statement rows = connection.prepare(std::string("SELECT * FROM ") + table + " ORDER BY 1, 2, 3");
        while (rows.step()) {
            std::string line = table;
            for (int i = 0; i < rows.columns(); ++i) line += '|' + rows.text(i);
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

TEST_F(DbMergeTest, MergingReplayedSweepsDoesNotDependOnTheOrder) {
    const db::ScopedVariable data("REDTUNE_SYSTEM_DATA", test::shipped_data());
    const db::ScopedVariable cache("REDTUNE_CACHE", folder_.path().c_str());
    const auto tune = [&](const std::string& file, const std::string& sizes) {
        const Outcome outcome =
            run_command(add_tune_command, {"tune", "--device", "replay:nvidia-h200", "--db", path(file), "--size",
                                           sizes, "--between", "0", "--checks", "0"});
        ASSERT_EQ(outcome.exit_code, done) << outcome.err;
    };
    tune("a.db", "256,512");
    tune("b.db", "512,1Ki");
    merge({path("a.db"), path("b.db"), "-o", path("ab.db")});
    merge({path("b.db"), path("a.db"), "-o", path("ba.db")});
    EXPECT_EQ(rows_of(path("ab.db")), rows_of(path("ba.db")));
    merge({path("ab.db"), path("a.db"), "-o", path("aba.db")});
    EXPECT_EQ(rows_of(path("ab.db")), rows_of(path("aba.db")));

    const json stats = rows("stats", path("ab.db")).at(0);
    EXPECT_EQ(stats["sizes"], 3);
    EXPECT_EQ(stats["sweeps"], 2);
    EXPECT_EQ(stats["measurements"].get<int>(), rows("stats", path("a.db")).at(0)["measurements"].get<int>() +
                                                    rows("stats", path("b.db")).at(0)["measurements"].get<int>());
    tune("all.db", "256,512,1Ki");
    json merged = rows("list", path("ab.db"));
    json whole = rows("list", path("all.db"));
    ASSERT_EQ(merged.size(), whole.size());
    for (std::size_t i = 0; i < merged.size(); ++i) {
        for (json* each : {&merged[i], &whole[i]}) each->erase("measurement_id");
        EXPECT_EQ(merged[i], whole[i]);
    }
    const Outcome again =
        run_command(add_tune_command, {"tune", "--device", "replay:nvidia-h200", "--db", path("ab.db"), "--size",
                                       "256,512,1Ki", "--between", "0", "--checks", "0"});
    EXPECT_THAT(again.err, HasSubstr("nothing to do")) << "a merged database continues as its parts would";
}

}  // namespace
}  // namespace redtune::cli
