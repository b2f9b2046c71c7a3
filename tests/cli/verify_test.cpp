#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/Error.hpp>
#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "db/connection.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/golden.h"
#include "tests/support/source_path.h"
#include "tuner/cli/interrupt.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// Runs `verify` on the shipped recording and a database that was tuned from it. The winners that ship are out of the
/// way.
class VerifyCommandTest : public ::testing::Test {
  protected:
    /// Makes the database that each test gets a copy of.
    static void SetUpTestSuite() {
        tuned_ = std::make_unique<Tuned>();
        const std::filesystem::path recording = "nvidia-h200.recording.db";
        std::filesystem::create_directory(tuned_->data);
        std::filesystem::create_symlink(std::filesystem::path(test::shipped_data()) / recording,
                                        tuned_->data / recording);
        const db::ScopedVariable data("REDTUNE_SYSTEM_DATA", tuned_->data.string());
        const db::ScopedVariable cache("REDTUNE_CACHE", tuned_->folder.path().c_str());
        const Outcome outcome = run_command(
            add_tune_command, {"tune", "--device", "replay:nvidia-h200", "--size", "64Ki,1Mi", "--effort", "standard",
                               "--between", "0", "--checks", "0", "--db", tuned_->file.string()});
        EXPECT_EQ(outcome.exit_code, done) << outcome.err;
        db::Connection::open(tuned_->file, db::OpenMode::create).text("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    static void TearDownTestSuite() { tuned_.reset(); }

    VerifyCommandTest() { std::filesystem::copy_file(tuned_->file, file()); }

    std::string file() const { return (folder_ / "user.db").string(); }
    Outcome verify(std::vector<std::string> arguments = {}) {
        arguments.insert(arguments.begin(), {"verify", "--device", "replay:nvidia-h200", "--db", file()});
        return run_command(add_verify_command, arguments);
    }
    json rows(std::vector<std::string> arguments = {}) {
        arguments.insert(arguments.end(), {"--format", "json"});
        return json::parse(verify(std::move(arguments)).out);
    }
    /// Changes the database as SQL says.
    void change(const std::string& sql) { db::Connection::open(file(), db::OpenMode::create).execute(sql); }
    /// Makes the stored time of the winner of 64Ki shorter than it is.
    void halve_time_of_64ki() {
        change(
            "UPDATE measurement SET median_us = median_us / 2 WHERE id IN (SELECT measurement_id FROM winner WHERE n = "
            "65536)");
    }

    struct Tuned {
        db::TemporaryFolder folder;
        std::filesystem::path data = folder / "data";
        std::filesystem::path file = folder / "tuned.db";
    };
    static inline std::unique_ptr<Tuned> tuned_;

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", tuned_->data.string()};
    db::ScopedVariable cache_{"REDTUNE_CACHE", folder_.path().c_str()};
};

TEST_F(VerifyCommandTest, TimesOfTheRecordingAreAllOk) {
    const Outcome outcome = verify();
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    EXPECT_EQ(outcome.out, test::golden("verify_ok_table.txt", outcome.out));
    EXPECT_THAT(outcome.err, HasSubstr("2 winners: 2 ok.\n"));
}

TEST_F(VerifyCommandTest, AChangedTimeIsShownWithTheReasons) {
    halve_time_of_64ki();
    change("UPDATE toolchain SET driver_version = '570.1'");
    const Outcome outcome = verify();
    EXPECT_EQ(outcome.exit_code, drifted);
    EXPECT_EQ(outcome.out, test::golden("verify_drifted_table.txt", outcome.out));
    EXPECT_THAT(outcome.err, HasSubstr("2 winners: 1 ok, 1 slower.\n"));
    EXPECT_THAT(outcome.err, HasSubstr("--retune"));
}

TEST_F(VerifyCommandTest, ATimeWithinTheToleranceIsOk) {
    halve_time_of_64ki();
    EXPECT_EQ(verify({"--tolerance", "101"}).exit_code, done);
    EXPECT_EQ(verify({"--size", "1Mi"}).exit_code, done);
    EXPECT_EQ(verify({"--size", "64Ki"}).exit_code, drifted);
}

TEST_F(VerifyCommandTest, ChangedCodeIsAReason) {
    halve_time_of_64ki();
    change("UPDATE family SET code_hash = 'old'");
    EXPECT_THAT(rows({"--size", "64Ki"})[0]["why"], HasSubstr("the kernel's code has changed"));
}

TEST_F(VerifyCommandTest, AWinnerThatIsNotTheBestFinalistIsNoLongerBest) {
    // The slowest candidate of the sweep becomes the winner, with a stored time that the recording confirms.
    change(
        "UPDATE winner SET measurement_id = (SELECT id FROM measurement WHERE n = 65536 AND stage_id = 0 AND "
        "status_id = 0 ORDER BY median_us DESC LIMIT 1) WHERE n = 65536 AND determinism = 'any'");
    const json row = rows({"--size", "64Ki"})[0];
    EXPECT_EQ(row["verdict"], "no_longer_best");
    EXPECT_NEAR(row["ratio"], 1, 1e-3);
    EXPECT_GT(row["faster_percent"], 5);
    EXPECT_THAT(row["best_now"], HasSubstr("("));
}

TEST_F(VerifyCommandTest, RetuningStoresTheWinnerOfTheDriftedSizeOnly) {
    halve_time_of_64ki();
    const json retuned = rows({"--retune", "--effort", "quick"});
    ASSERT_EQ(retuned.size(), 2U);
    EXPECT_EQ(retuned[0]["verdict"], "slower");
    EXPECT_DOUBLE_EQ(retuned[0]["retuned_us"], retuned[0]["now_us"]);
    EXPECT_EQ(retuned[0]["retuned"], retuned[0]["configuration"]);
    EXPECT_TRUE(retuned[1]["retuned"].is_null());
    EXPECT_EQ(verify().exit_code, done) << "the new winner has the time of the recording";
}

TEST_F(VerifyCommandTest, WithoutAWinnerItSaysSo) {
    const Outcome outcome = verify({"--op", "max"});
    EXPECT_EQ(outcome.exit_code, nothing_found);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("No winner for NVIDIA H200"));
}

TEST_F(VerifyCommandTest, WrongInputIsRefused) {
    EXPECT_THROW(verify({"--regime", "wram"}), InputError);
    EXPECT_THROW(verify({"--size", "many"}), InputError);
    EXPECT_THROW(verify({"--op", "summ"}), InputError);
    EXPECT_THROW(verify({"--samples", "1"}), CLI::ParseError);
    EXPECT_THROW(verify({"--samples", "9", "--quick"}), CLI::ParseError);
    EXPECT_THROW(verify({"--tolerance", "-1"}), CLI::ParseError);
    EXPECT_THROW(run_command(add_verify_command, {"verify", "--device", "replay:nvidia-h200", "--db", "/none/x.db"}),
                 DatabaseError);
}

TEST_F(VerifyCommandTest, AnInterruptedRunEndsWithItsOwnCode) {
    // In a process of its own, because the flag of an interrupt stays set.
    EXPECT_TRUE(db::succeeded(db::start_process([this] {
        stop_on_interrupt();
        std::raise(SIGINT);
        const Outcome outcome = verify();
        const bool says_so = outcome.err.find("Interrupted: 0 of 2 winners were verified.") != std::string::npos;
        if (outcome.exit_code != interrupted || !outcome.out.empty() || !says_so) throw std::runtime_error(outcome.err);
    })));
}

TEST_F(VerifyCommandTest, WithoutAGpuNoRecordingStandsInForIt) {
    if (!gpu::list_devices().empty()) GTEST_SKIP() << "there is a GPU";
    EXPECT_THROW(run_command(add_verify_command, {"verify"}), DeviceError);
    EXPECT_THROW(run_command(add_verify_command, {"verify", "--device", "h200"}), DeviceError);
}

}  // namespace
}  // namespace redtune::cli
