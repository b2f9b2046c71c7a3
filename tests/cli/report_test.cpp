#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/Error.hpp>

#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/core/json_object.h"

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

/// A test with an own database, and a data folder that holds only a stand-in of the charts.
class ReportCommandTest : public testing::Test {
  protected:
    ReportCommandTest() { db::write_file(folder_ / "vega.js", "var stand_in_for_vega;"); }

    static Outcome run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "report");
        return run_command(add_report_command, arguments);
    }

    /// Runs the command with these and -o.
    Outcome write(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"-o", out_.string()});
        return run(std::move(arguments));
    }

    /// Returns the data in the page that was written.
    Json data() const {
        const std::string page = db::read_file(out_);
        const std::string opening = "id=\"data\">";
        const std::size_t begin = page.find(opening) + opening.size();
        return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
    }

    static void tune(const std::filesystem::path& file, const std::string& device, std::uint64_t n, double us,
                     const Problem& problem = {}, Regime regime = Regime::cold) {
        DeviceInfo info = db::h200();
        info.name = device;
        db::Store store = db::Store::open(file, db::Access::read_write);
        db::add_winner(store, info, problem, n, regime, db::candidate(), us);
    }

    db::TemporaryFolder folder_;
    std::filesystem::path user_ = folder_ / "user.db";
    std::filesystem::path out_ = folder_ / "report.html";
    db::ScopedVariable file_{"REDTUNE_DB", user_.c_str()};
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", folder_.path().c_str()};
};

TEST_F(ReportCommandTest, WritesAPageWithTheChartsAndTheData) {
    tune(user_, "NVIDIA H200", 4096, 2);
    const Outcome outcome = write({});
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(out_.string()), HasSubstr("KiB; open it in a browser")));
    EXPECT_THAT(db::read_file(out_), AllOf(HasSubstr("<!DOCTYPE html>"), HasSubstr("var stand_in_for_vega;")));
    const Json page = data();
    EXPECT_EQ(page["winners"]["rows"], 1);
    EXPECT_EQ(page["files"][0]["name"], "user.db");
    EXPECT_EQ(page["command"], "redtune report");
    EXPECT_THAT(run({"-o", "-"}).out, HasSubstr("<!DOCTYPE html>"));
}

TEST_F(ReportCommandTest, OptionsSelectWhatIsShown) {
    tune(user_, "NVIDIA H200", 4096, 1);
    tune(user_, "NVIDIA H200", 1 << 20, 2);
    tune(user_, "NVIDIA H200", 4096, 3, {}, Regime::warm);
    tune(user_, "NVIDIA H200", 4096, 4, make_problem("max", Type::i32));
    tune(user_, "NVIDIA L4", 4096, 5);
    const auto count = [&](std::vector<std::string> arguments) {
        EXPECT_EQ(write(std::move(arguments)).exit_code, done);
        return data()["winners"]["rows"].get<int>();
    };
    EXPECT_EQ(count({}), 5);
    EXPECT_EQ(count({"--device", "l4"}), 1);
    EXPECT_EQ(count({"--op", "sum"}), 4);
    EXPECT_EQ(count({"--dtype", "i32"}), 1);
    EXPECT_EQ(count({"--regime", "warm"}), 1);
    EXPECT_EQ(count({"--regime", "warm,cold", "--device", "h200"}), 4);
    EXPECT_EQ(count({"--size", "1Ki..16Ki", "--device", "h200", "--op", "sum", "--regime", "cold"}), 1);
    EXPECT_EQ(data()["command"], "redtune report --op sum --device \"h200\" --size 1Ki..16Ki --regime cold");
}

TEST_F(ReportCommandTest, SeveralDevicesAreShownSideBySide) {
    tune(user_, "NVIDIA H200", 4096, 1);
    tune(user_, "NVIDIA L4", 4096, 5);
    tune(user_, "NVIDIA B200", 4096, 5);
    EXPECT_EQ(write({"--device", "h200"}).exit_code, done);
    EXPECT_EQ(data()["side_by_side"], "");
    EXPECT_EQ(write({"--device", "h200,l4"}).exit_code, done);
    EXPECT_EQ(data()["winners"]["rows"], 2);
    EXPECT_EQ(data()["devices"].size(), 2U);
    EXPECT_EQ(data()["side_by_side"], "device");
    EXPECT_EQ(data()["command"], "redtune report --device \"h200\" --device \"l4\"");
    EXPECT_EQ(write({"--device", "h200", "--device", "b200"}).exit_code, done);
    EXPECT_EQ(data()["devices"].size(), 2U);
    EXPECT_EQ(write({"--device", "h200,t4"}).exit_code, nothing_found);
}

TEST_F(ReportCommandTest, SeveralFilesAreShownSideBySide) {
    tune(user_, "NVIDIA H200", 4096, 1);
    std::filesystem::create_directory(folder_ / "other");
    tune(folder_ / "other/user.db", "NVIDIA H200", 4096, 2);
    tune(folder_ / "other/user.db", "NVIDIA H200", 8192, 3);
    EXPECT_EQ(write({"--db", user_.string(), "--db", (folder_ / "other/user.db").string()}).exit_code, done);
    const Json page = data();
    EXPECT_EQ(page["side_by_side"], "file");
    EXPECT_EQ(page["files"][0]["label"], (user_.parent_path().filename() / "user.db").string());
    EXPECT_EQ(page["files"][1]["label"], "other/user.db");
    const Json& columns = page["winners"]["columns"];
    EXPECT_EQ(page["winners"]["rows"], 3) << "also the winner that the first file hides";
    EXPECT_EQ(columns["hidden"], Json::parse("[0, 0, 1]"));
    EXPECT_EQ(columns["file"], Json::parse("[0, 1, 1]"));
    EXPECT_EQ(columns["time_us"], Json::parse("[1, 3, 2]"));
}

TEST_F(ReportCommandTest, AnotherFileReplacesAllOthers) {
    tune(user_, "NVIDIA H200", 4096, 1);
    tune(folder_ / "a.winners.db", "NVIDIA H200", 1 << 20, 2);
    tune(folder_ / "other.db", "NVIDIA L4", 4096, 3);
    EXPECT_EQ(write({}).exit_code, done);
    EXPECT_EQ(data()["winners"]["rows"], 2) << "the user's and the shipped file";
    EXPECT_EQ(write({"--db", (folder_ / "other.db").string()}).exit_code, done);
    EXPECT_EQ(data()["devices"][0]["name"], "NVIDIA L4");
    EXPECT_EQ(data()["winners"]["rows"], 1);
    EXPECT_THROW(write({"--db", (folder_ / "none.db").string()}), DatabaseError);
}

TEST_F(ReportCommandTest, TimesOfCubComeFromAComparison) {
    tune(user_, "NVIDIA H200", 4096, 1);
    db::write_file(folder_ / "cub.csv", "op,dtype,n,regime,cub_us\nsum,f32,4096,cold,1.5\nmax,f32,4096,cold,1.5\n");
    EXPECT_EQ(write({"--op", "sum", "--bench", (folder_ / "cub.csv").string()}).exit_code, done);
    EXPECT_EQ(data()["compared"]["rows"], 1);
    EXPECT_EQ(data()["compared"]["columns"]["cub_us"]["all"], 1.5);
    EXPECT_THROW(write({"--bench", (folder_ / "none.csv").string()}), Error);
    db::write_file(folder_ / "wrong.csv", "op,dtype\nsum\n");
    EXPECT_THAT(
        [&] {
            write({"--bench", (folder_ / "wrong.csv").string()});
        },
        ThrowsMessage<InputError>(HasSubstr("wrong.csv: line 2 of the comparison")));
}

TEST_F(ReportCommandTest, TimesOfCubBelongToTheirDevice) {
    tune(user_, "NVIDIA H200", 4096, 1);
    tune(user_, "NVIDIA L4", 4096, 2);
    const std::string unnamed = folder_ / "unnamed.csv";
    db::write_file(unnamed, "op,dtype,n,regime,cub_us\nsum,f32,4096,cold,3\n");
    EXPECT_THAT(write({"--bench", unnamed}).err, HasSubstr("choose its device with --device"));
    EXPECT_EQ(data()["compared"]["rows"], 0);
    EXPECT_THAT(write({"--bench", unnamed, "--device", "l4"}).err, Not(HasSubstr("choose its device")));
    EXPECT_EQ(data()["compared"]["columns"]["cub_us"]["all"], 3);
    const std::string named = folder_ / "named.csv";
    db::write_file(named,
                   "op,dtype,n,regime,redtune_us,cub_us,device\nsum,f32,4096,cold,1,2,NVIDIA L4\n"
                   "sum,f32,4096,cold,1,3,NVIDIA L4\nsum,f32,4096,cold,1,4,NVIDIA A100\n");
    EXPECT_EQ(write({"--bench", named}).exit_code, done);
    ASSERT_EQ(data()["compared"]["rows"], 1) << "the first time of a cell, on a device of the page";
    EXPECT_EQ(data()["compared"]["columns"]["cub_us"]["all"], 2);
    EXPECT_EQ(data()["compared"]["columns"]["ratio"]["all"], 2);
    EXPECT_EQ(data()["devices"][data()["compared"]["columns"]["device"]["all"].get<std::size_t>()]["name"],
              "NVIDIA L4");
}

TEST_F(ReportCommandTest, ComparisonsThatShipAreShownWithoutAnOption) {
    tune(user_, "NVIDIA H200", 4096, 1);
    const std::string head = "op,dtype,n,regime,cub_us,device\n";
    db::write_file(folder_ / "nvidia-h200.bench.csv", head + "sum,f32,4096,cold,2,NVIDIA H200\n");
    EXPECT_EQ(write({}).exit_code, done);
    EXPECT_EQ(data()["compared"]["columns"]["cub_us"]["all"], 2);
    EXPECT_EQ(data()["compared_files"], Json::parse("[\"nvidia-h200.bench.csv\"]"));
    db::write_file(folder_ / "own.csv", head + "sum,f32,4096,cold,3,NVIDIA H200\n");
    EXPECT_EQ(write({"--bench", (folder_ / "own.csv").string()}).exit_code, done);
    EXPECT_EQ(data()["compared"]["columns"]["cub_us"]["all"], 3) << "that of --bench comes first";
    EXPECT_EQ(write({"--db", user_.string()}).exit_code, done);
    EXPECT_EQ(data()["compared"]["rows"], 0) << "--db reads that file alone";
}

TEST_F(ReportCommandTest, NothingThatMatchesIsAMissThatSaysWhatThereIs) {
    tune(user_, "NVIDIA H200", 4096, 1);
    const Outcome problem = write({"--op", "max"});
    EXPECT_EQ(problem.exit_code, nothing_found);
    EXPECT_THAT(problem.err, HasSubstr("There is sum of f32 on NVIDIA H200"));
    EXPECT_FALSE(std::filesystem::exists(out_));
    const Outcome device = write({"--device", "b200"});
    EXPECT_EQ(device.exit_code, nothing_found);
    EXPECT_THAT(device.err, HasSubstr("NVIDIA H200"));
    db::Store::open(folder_ / "empty.db", db::Access::read_write);
    const Outcome empty = write({"--db", (folder_ / "empty.db").string()});
    EXPECT_EQ(empty.exit_code, nothing_found);
    EXPECT_THAT(empty.err, HasSubstr("`redtune tune` measures"));
}

TEST_F(ReportCommandTest, WithoutAnyFileTheMessageSaysWhereTheyAreMade) {
    EXPECT_THAT([&] { write({}); }, ThrowsMessage<DatabaseError>(HasSubstr("`redtune tune` makes a database")));
}

TEST_F(ReportCommandTest, WrongArgumentsAreRefused) {
    tune(user_, "NVIDIA H200", 4096, 1);
    EXPECT_THROW(run({}), CLI::RequiredError) << "without -o";
    EXPECT_THROW(write({"--regime", "hot"}), InputError);
    EXPECT_THROW(write({"--size", "many"}), InputError);
    EXPECT_THROW(write({"--op", "add"}), InputError);
    EXPECT_THROW(write({"--dtype", "float"}), InputError);
    EXPECT_THAT(
        [&] {
            run({"-o", (folder_ / "no/such/folder.html").string()});
        },
        ThrowsMessage<Error>(HasSubstr("name a file in a folder that exists")));
    EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(ReportCommandTest, AnEmptyChartLibraryIsRefused) {
    tune(user_, "NVIDIA H200", 4096, 1);
    db::write_file(folder_ / "vega.js", "");
    EXPECT_THAT([&] { write({}); }, ThrowsMessage<Error>(HasSubstr("is empty")));
}

TEST_F(ReportCommandTest, ThePageOfTheShippedDataIsSmallEnoughToSend) {
    const db::ScopedVariable shipped("REDTUNE_SYSTEM_DATA", test::shipped_data());
    const std::filesystem::path charts = std::filesystem::path(test::shipped_data()) / "vega.js";
    if (!std::filesystem::exists(charts)) GTEST_SKIP() << "this build has no charts";
    EXPECT_EQ(write({}).exit_code, done);
    EXPECT_LT(std::filesystem::file_size(out_), 3U << 20);
    const Json page = data();
    EXPECT_GT(page["winners"]["rows"], 4000);
    EXPECT_GT(page["cells"].size(), 50U);
    EXPECT_GT(page["compared"]["rows"], 400);
}

}  // namespace
}  // namespace redtune::cli
