#include "db/location.h"

#include <gtest/gtest.h>

#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

using Paths = std::vector<std::filesystem::path>;

TEST(Location, TheVariableComesBeforeTheDataFolderAndThatBeforeHome) {
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

TEST(Location, EmptyVariablesAndRelativeDataFoldersCountAsNone) {
    const ScopedVariable home("HOME", "/home/someone");
    const ScopedVariable file("REDTUNE_DB", "");
    for (const char* value : {"", "relative/folder"}) {
        const ScopedVariable data("XDG_DATA_HOME", value);
        EXPECT_EQ(user_database_path(), "/home/someone/.local/share/redtune/redtune.db");
    }
}

TEST(Location, WithoutHomeTheUsersEntryNamesTheFolder) {
    const ScopedVariable home("HOME", nullptr);
    const ScopedVariable file("REDTUNE_DB", nullptr);
    const ScopedVariable data("XDG_DATA_HOME", nullptr);
    EXPECT_TRUE(user_database_path().is_absolute());
}

TEST(Location, ListsTheDatabasesOfTheShippedFolderInOrder) {
    const TemporaryFolder folder;
    const ScopedVariable shipped("REDTUNE_SYSTEM_DATA", folder.path().c_str());
    EXPECT_EQ(system_data_folder(), folder.path());
    EXPECT_EQ(system_databases(), Paths());
    for (const char* name : {"b.db", "a.db", "a.db-wal", "notes.txt"}) write_file(folder / name, "");
    EXPECT_EQ(system_databases(), (Paths{folder / "a.db", folder / "b.db"}));
}

TEST(Location, AFolderThatIsNotThereHasNoDatabases) {
    EXPECT_EQ(databases_in("/no/such/folder"), Paths());
}

}  // namespace
}  // namespace redtune::db
