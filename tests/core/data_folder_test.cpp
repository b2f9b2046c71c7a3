#include "tuner/core/data_folder.h"

#include <gtest/gtest.h>

#include "tests/support/database_fixture.h"

namespace redtune {
namespace {

using db::ScopedVariable;
using db::TemporaryFolder;
using db::write_file;

TEST(DataFolder, TheVariableComesFirst) {
    const ScopedVariable shipped("REDTUNE_SYSTEM_DATA", "/given");
    EXPECT_EQ(system_data_folder(), "/given");
}

/// Makes share/redtune with one shipped database below a folder and returns its path.
std::filesystem::path make_share(const std::filesystem::path& folder) {
    const std::filesystem::path share = folder / "share/redtune";
    std::filesystem::create_directories(share);
    write_file(share / "a.winners.db", "");
    return share;
}

TEST(DataFolder, AnInstalledProgramOrSharedLibraryHasItsDataInShare) {
    const TemporaryFolder prefix;
    const std::filesystem::path share = make_share(prefix.path());
    for (const char* folder : {"bin", "lib", "lib/x86_64-linux-gnu"}) {
        EXPECT_EQ(data_folder_for(prefix / folder), share) << folder;
    }
}

TEST(DataFolder, AProgramInABuildFolderHasItsDataThere) {
    const TemporaryFolder folder;
    for (const char* build : {"first", "second"}) {
        const std::filesystem::path share = make_share(folder / build);
        EXPECT_EQ(data_folder_for(folder / build), share);
        EXPECT_EQ(data_folder_for(folder / build / "tests"), share);
    }
    std::filesystem::rename(folder / "first", folder / "moved");
    EXPECT_EQ(data_folder_for(folder / "moved"), folder / "moved/share/redtune");
}

TEST(DataFolder, AProgramElsewhereHasTheDataInTheFoldersForData) {
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

TEST(DataFolder, AFolderWithoutShippedDataIsPassedOver) {
    const TemporaryFolder folder;
    const ScopedVariable home("XDG_DATA_HOME", (folder / "none").c_str());
    // The folder of the user's own database, beside which a program in ~/.local/bin lies.
    std::filesystem::create_directories(folder / ".local/share/redtune");
    write_file(folder / ".local/share/redtune/redtune.db", "");
    const std::filesystem::path share = make_share(folder / "usr");
    const ScopedVariable dirs("XDG_DATA_DIRS", (folder / "usr/share").c_str());
    EXPECT_EQ(data_folder_for(folder / ".local/bin"), share);
}

TEST(DataFolder, IgnoresTheWorkingDirectoryIfTheFolderIsUnknown) {
    const ScopedVariable dirs("XDG_DATA_DIRS", "relative");
    EXPECT_TRUE(data_folder_for({}).is_absolute());
}

}  // namespace
}  // namespace redtune
