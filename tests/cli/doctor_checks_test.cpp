#include "tuner/cli/doctor_checks.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "db/store.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Points the doctor command at a cache and a database in a temporary folder.
class DoctorChecks : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = fs::temp_directory_path() / "doctor_XXXXXX";
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        root_ = pattern;
        std::ofstream(root_ / "file") << "text";
        ::setenv("REDTUNE_CACHE", (root_ / "cache").c_str(), 1);
        ::setenv("REDTUNE_DB", (root_ / "data" / "redtune.db").c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("REDTUNE_CACHE");
        ::unsetenv("REDTUNE_DB");
        ::unsetenv("REDTUNE_SYSTEM_DATA");
        fs::remove_all(root_);
    }

    fs::path root_;
};

TEST_F(DoctorChecks, LinesFitATerminal) {
    ::setenv("REDTUNE_SYSTEM_DATA", (root_ / "none").c_str(), 1);  // so that a check has several remedies
    std::istringstream lines(run_command(add_doctor_command, {"doctor"}).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST_F(DoctorChecks, AFailedCheckStatesItsCostAndRemedies) {
    for (const Check& check : run_checks()) {
        EXPECT_NE(check.found, "") << check.name;
        if (check.state == CheckState::ok) {
            EXPECT_EQ(check.cost, "") << check.name;
            EXPECT_TRUE(check.remedies.empty()) << check.name;
        } else if (check.name != "gpu") {  // its cost and remedies are those of the missing driver
            EXPECT_NE(check.cost, "") << check.name;
            EXPECT_FALSE(check.remedies.empty()) << check.name;
        }
    }
}

TEST_F(DoctorChecks, ShowsThePathsOfAUsableCacheAndDatabase) {
    EXPECT_EQ(cache_check().state, CheckState::ok);
    EXPECT_EQ(cache_check().found, root_ / "cache");
    EXPECT_EQ(database_check().state, CheckState::ok);
    EXPECT_EQ(database_check().found, root_ / "data" / "redtune.db");
    EXPECT_FALSE(fs::exists(root_ / "data")) << "looking makes nothing";
}

TEST_F(DoctorChecks, ACacheThatCannotBeCreatedIsAWarning) {
    ::setenv("REDTUNE_CACHE", (root_ / "file" / "cache").c_str(), 1);
    const Check check = cache_check();
    EXPECT_EQ(check.state, CheckState::warning);
    EXPECT_THAT(check.found, HasSubstr("cannot be made"));
    EXPECT_FALSE(check.for_launches);
    EXPECT_THAT(check.remedies, testing::ElementsAre(HasSubstr("REDTUNE_CACHE")));
}

TEST_F(DoctorChecks, ADatabaseThatCannotBeCreatedIsReportedAsMissing) {
    ::setenv("REDTUNE_DB", (root_ / "file" / "redtune.db").c_str(), 1);
    const Check check = database_check();
    EXPECT_EQ(check.state, CheckState::missing);
    EXPECT_THAT(check.found, HasSubstr((root_ / "file").string()));
    EXPECT_THAT(check.remedies, testing::ElementsAre(HasSubstr("REDTUNE_DB")));
}

TEST_F(DoctorChecks, AFolderOrATextFileIsNoDatabase) {
    for (const fs::path& path : {root_, root_ / "file"}) {
        ::setenv("REDTUNE_DB", path.c_str(), 1);
        const Check check = database_check();
        EXPECT_EQ(check.state, CheckState::missing) << path;
        EXPECT_THAT(check.found, HasSubstr(path.string()));
        EXPECT_NE(check.cost, "");
    }
}

TEST_F(DoctorChecks, AnExistingDatabaseIsOpened) {
    const fs::path file = root_ / "mine.db";
    ::setenv("REDTUNE_DB", file.c_str(), 1);
    {
        db::Store store = db::Store::open(file, db::Access::read_write);
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::cold, db::candidate(4), 10);
    }
    EXPECT_EQ(database_check().state, CheckState::ok);
    EXPECT_EQ(database_check().found, file.string() + ", 1 winners");
}

TEST_F(DoctorChecks, TheShippedDataIsOpened) {
    ::setenv("REDTUNE_SYSTEM_DATA", test::shipped_data().c_str(), 1);
    EXPECT_EQ(shipped_data_check().state, CheckState::ok);
    EXPECT_THAT(shipped_data_check().found, HasSubstr("replay:nvidia-h200"));

    ::setenv("REDTUNE_SYSTEM_DATA", root_.c_str(), 1);
    EXPECT_EQ(shipped_data_check().state, CheckState::warning) << "an empty folder";
    EXPECT_THAT(shipped_data_check().found, HasSubstr(root_.string()));

    for (const char* name : {"h200.winners.db", "h200.recording.db"}) {
        fs::copy_file(root_ / "file", root_ / name);
        EXPECT_EQ(shipped_data_check().state, CheckState::missing) << name;
        EXPECT_THAT(shipped_data_check().found, HasSubstr(name));
        fs::remove(root_ / name);
    }
}

}  // namespace
}  // namespace redtune::cli
