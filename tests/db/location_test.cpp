#include "db/location.h"

#include <gtest/gtest.h>

#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

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
    EXPECT_EQ(system_data_folder(), folder.path());
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

/// Makes share/redtune with one shipped database below a folder and returns its path.
std::filesystem::path make_share(const std::filesystem::path& folder) {
    const std::filesystem::path share = folder / "share/redtune";
    std::filesystem::create_directories(share);
    write_file(share / "a.winners.db", "");
    return share;
}

TEST(Location, AnInstalledProgramOrSharedLibraryHasItsDataInShare) {
    const TemporaryFolder prefix;
    const std::filesystem::path share = make_share(prefix.path());
    for (const char* folder : {"bin", "lib", "lib/x86_64-linux-gnu"}) {
        EXPECT_EQ(data_folder_for(prefix / folder), share) << folder;
    }
}

TEST(Location, AProgramInABuildFolderHasItsDataThere) {
    const TemporaryFolder folder;
    for (const char* build : {"first", "second"}) {
        const std::filesystem::path share = make_share(folder / build);
        EXPECT_EQ(data_folder_for(folder / build), share);
        EXPECT_EQ(data_folder_for(folder / build / "tests"), share);
    }
    std::filesystem::rename(folder / "first", folder / "moved");
    EXPECT_EQ(data_folder_for(folder / "moved"), folder / "moved/share/redtune");
}

TEST(Location, AProgramElsewhereHasTheDataInTheFoldersForData) {
    const TemporaryFolder folder;
    const ScopedVariable home("XDG_DATA_HOME", (folder / "home/share").c_str());
    const ScopedVariable dirs(
        "XDG_DATA_DIRS",
        ("relative:" + (folder / "local/share").string() + ":" + (folder / "usr/share").string()).c_str());
    EXPECT_EQ(data_folder_for(folder / "a/b/c"), folder / "usr/share/redtune") << "none has data";
    for (const char* prefix : {"usr", "local", "home"}) {
        const std::filesystem::path share = make_share(folder / prefix);
        EXPECT_EQ(data_folder_for(folder / "a/b/c"), share);
    }
}

TEST(Location, AFolderWithoutShippedDataIsPassedOver) {
    const TemporaryFolder folder;
    const ScopedVariable home("XDG_DATA_HOME", (folder / "none").c_str());
    // The folder of the user's own database, beside which a program in ~/.local/bin lies.
    std::filesystem::create_directories(folder / ".local/share/redtune");
    write_file(folder / ".local/share/redtune/redtune.db", "");
    const std::filesystem::path share = make_share(folder / "usr");
    const ScopedVariable dirs("XDG_DATA_DIRS", (folder / "usr/share").c_str());
    EXPECT_EQ(data_folder_for(folder / ".local/bin"), share);
}

TEST(Location, IgnoresTheWorkingDirectoryIfTheFolderIsUnknown) {
    const ScopedVariable dirs("XDG_DATA_DIRS", "relative");
    EXPECT_TRUE(data_folder_for({}).is_absolute());
}

}  // namespace
}  // namespace redtune::db
