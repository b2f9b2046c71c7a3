#include "db/location.h"

#include <gtest/gtest.h>

#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

using Paths = std::vector<std::filesystem::path>;

TEST(Location, PrefersTheVariableThenTheDataFolderThenHome) {
    const ScopedVariable home("HOME", "/home/someone");
    const ScopedVariable data("XDG_DATA_HOME", "/data");
    {
        const ScopedVariable file("REDTUNE_DB", "mine.db");
        EXPECT_EQ(user_database_path(), "mine.db");
    }
    const ScopedVariable no_file("REDTUNE_DB", nullptr);
    EXPECT_EQ(user_database_path(), "/data/redtune/redtune.db");
    const ScopedVariable no_data("XDG_DATA_HOME", nullptr);
    EXPECT_EQ(user_database_path(), "/home/someone/.local/share/redtune/redtune.db");
}

TEST(Location, IgnoresEmptyVariablesAndRelativeDataFolders) {
    const ScopedVariable home("HOME", "/home/someone");
    const ScopedVariable file("REDTUNE_DB", "");
    for (const char* value : {"", "relative/folder"}) {
        const ScopedVariable data("XDG_DATA_HOME", value);
        EXPECT_EQ(user_database_path(), "/home/someone/.local/share/redtune/redtune.db");
    }
}

TEST(Location, WithoutHomeUsesTheFolderInThePasswordDatabase) {
    const ScopedVariable home("HOME", nullptr);
    const ScopedVariable file("REDTUNE_DB", nullptr);
    const ScopedVariable data("XDG_DATA_HOME", nullptr);
    EXPECT_TRUE(user_database_path().is_absolute());
}

TEST(Location, DistinguishesWinnersFromRecordings) {
    const TemporaryFolder folder;
    const ScopedVariable shipped("REDTUNE_SYSTEM_DATA", folder.path().c_str());
    EXPECT_TRUE(recordings().empty());
    for (const char* name :
         {"b.winners.db", "a.winners.db", "a.winners.db-wal", "a.recording.db", "c.db", "notes.txt"}) {
        write_file(folder / name, "");
    }
    EXPECT_EQ(winners_files(folder.path()), (Paths{folder / "a.winners.db", folder / "b.winners.db"}));
    ASSERT_EQ(recordings().size(), 1U);
    EXPECT_EQ(recordings()[0].name, "a");
    EXPECT_EQ(recordings()[0].file, folder / "a.recording.db");
}

TEST(Location, AMissingFolderHasNoDatabases) {
    EXPECT_EQ(winners_files("/no/such/folder"), Paths());
    EXPECT_TRUE(recordings_in("/no/such/folder").empty());
}

}  // namespace
}  // namespace redtune::db
