#include "tuner/jit/entry_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>

#include "tests/support/database_fixture.h"

namespace redtune::jit {
namespace {

namespace fs = std::filesystem;

class EntryFolderTest : public testing::Test {
  protected:
    fs::path add(const std::string& key, const std::string& blob) const {
        const fs::path file = entry_path(folder_.path(), key);
        db::write_file(file, encode_entry(key, blob));
        return file;
    }

    db::TemporaryFolder folder_;
};

TEST_F(EntryFolderTest, ListsItsEntriesLeastRecentlyUsedFirst) {
    const fs::path first = add("first", "1");
    const fs::path second = add("second", "22");
    fs::last_write_time(second, fs::last_write_time(first) - std::chrono::hours(1));
    db::write_file(folder_ / "notes.txt", "text");
    const std::vector<EntryFile> entries = list_entries(folder_.path());
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].path, second);
    EXPECT_EQ(entries[0].bytes, fs::file_size(second));
    EXPECT_EQ(entries[1].path, first);
    EXPECT_TRUE(list_entries(folder_ / "missing").empty());
}

TEST_F(EntryFolderTest, ASoundEntryHasNoProblem) {
    const InspectedEntry found = inspect_entry(add("key", "blob"));
    EXPECT_EQ(found.problem, "");
    ASSERT_TRUE(found.entry);
    EXPECT_EQ(found.entry->key, "key");
    EXPECT_EQ(found.entry->blob, "blob");
}

TEST_F(EntryFolderTest, SaysWhatIsWrongWithAnEntry) {
    const fs::path damaged = add("damaged", "blob");
    db::write_file(damaged, db::read_file(damaged) + "tail");
    const fs::path writable = add("writable", "blob");
    fs::permissions(writable, fs::perms::others_write, fs::perm_options::add);
    const fs::path renamed = entry_path(folder_.path(), "another");
    fs::rename(add("renamed", "blob"), renamed);
    EXPECT_EQ(inspect_entry(damaged).problem, "it is damaged");
    EXPECT_EQ(inspect_entry(writable).problem, "other users may write to it");
    EXPECT_EQ(inspect_entry(renamed).problem, "it has the name of another entry");
    EXPECT_EQ(inspect_entry(folder_ / "missing.entry").problem, "it cannot be read");
    for (const fs::path& file : {damaged, writable, renamed}) EXPECT_FALSE(inspect_entry(file).entry);
}

TEST_F(EntryFolderTest, InspectingIsNoUse) {
    const fs::path file = add("key", "blob");
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(5));
    const fs::file_time_type before = fs::last_write_time(file);
    inspect_entry(file);
    EXPECT_EQ(fs::last_write_time(file), before);
    EXPECT_EQ(EntryFolder(folder_.path(), EntryFolder::Touch::at_use).get("key"), "blob");
    EXPECT_GT(fs::last_write_time(file), before);
}

}  // namespace
}  // namespace redtune::jit
