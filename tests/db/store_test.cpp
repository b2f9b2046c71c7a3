#include "db/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/connection.h"
#include "db/journal_mode.h"
#include "db/migration.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Access all_access[] = {Access::read_write, Access::read_only, Access::immutable};

class StoreTest : public testing::Test {
  protected:
    /// Expects that opening the file fails with every kind of access, that the error message contains the words, and
    /// that the file is not changed.
    void expect_refused(const std::string& words) {
        const std::string before = read_file(file_);
        for (const Access access : all_access) {
            EXPECT_THAT([&] { Store::open(file_, access); }, ThrowsMessage<DatabaseError>(HasSubstr(words)));
            EXPECT_EQ(read_file(file_), before);
        }
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
    }

    TemporaryFolder folder_;
    std::filesystem::path file_ = folder_ / "a.db";
};

TEST_F(StoreTest, CreatesTheFileAndItsFolders) {
    const std::filesystem::path deep = folder_ / "some/folder/a.db";
    const Store store = Store::open(deep, Access::read_write);
    EXPECT_TRUE(std::filesystem::exists(deep));
    EXPECT_EQ(store.file(), deep);
    EXPECT_EQ(store.connection().value("PRAGMA application_id"), application_id);
    EXPECT_EQ(schema_version(store.connection()), embedded_migrations().back().version);
}

TEST_F(StoreTest, HasTheJournalModeOfItsFileSystem) {
    EXPECT_EQ(Store::open(file_, Access::read_write).journal_mode(), journal_mode_name(journal_mode_for(file_)));
    EXPECT_EQ(Store::open(file_, Access::read_only).journal_mode(), journal_mode_name(journal_mode_for(file_)));
}

TEST_F(StoreTest, CorrectsTheJournalModeOfAFileThatWasMoved) {
    Store::open(file_, Access::read_write);
    Connection::open(file_, OpenMode::create).execute("PRAGMA journal_mode = TRUNCATE");
    EXPECT_EQ(Store::open(file_, Access::read_write).journal_mode(), journal_mode_name(journal_mode_for(file_)));
}

TEST_F(StoreTest, AllItsTablesAreStrict) {
    const Store store = Store::open(file_, Access::read_write);
    EXPECT_GT(store.connection().value("SELECT count(*) FROM pragma_table_list WHERE strict"), 0);
    EXPECT_EQ(store.connection().value("SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND NOT strict "
                                       "AND schema = 'main' AND name NOT GLOB 'sqlite_*'"),
              0);
}

TEST_F(StoreTest, ErrorForAMissingFileSaysHowToCreateIt) {
    for (const Access access : {Access::read_only, Access::immutable}) {
        EXPECT_THAT([&] { Store::open(file_, access); }, ThrowsMessage<DatabaseError>(HasSubstr("redtune tune")));
    }
    EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(StoreTest, TreatsAnEmptyFileAsAnEmptyDatabase) {
    write_file(file_, "");
    EXPECT_TRUE(Store::open(file_, Access::read_only).winners().empty());
    EXPECT_TRUE(Store::open(file_, Access::immutable).winners().empty());
    EXPECT_EQ(read_file(file_), "");
    EXPECT_TRUE(Store::open(file_, Access::read_write).winners().empty());
    EXPECT_NE(read_file(file_), "");
}

TEST_F(StoreTest, RejectsAFileThatIsNotADatabase) {
    write_file(file_, "this is no database, and is left as it is");
    expect_refused("not a database");
}

TEST_F(StoreTest, RejectsTheDatabaseOfAnotherProgram) {
    Connection::open(file_, OpenMode::create)
        .execute("CREATE TABLE t (x INTEGER); PRAGMA application_id = 77; PRAGMA user_version = 1");
    expect_refused("another program");
}

TEST_F(StoreTest, RejectsTablesWithoutAnApplicationId) {
    Connection::open(file_, OpenMode::create).execute("CREATE TABLE t (x INTEGER)");
    expect_refused("another program");
}

TEST_F(StoreTest, RejectsTheDatabaseOfANewerVersion) {
    Store::open(file_, Access::read_write);
    Connection::open(file_, OpenMode::create).execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = 99");
    expect_refused("newer redtune (schema version 99");
}

TEST_F(StoreTest, ErrorSaysThatAPathIsAFolder) {
    for (const Access access : all_access) {
        EXPECT_THAT([&] { Store::open(folder_.path(), access); },
                    ThrowsMessage<DatabaseError>(HasSubstr(folder_.path().string() + " is a folder")));
    }
}

TEST_F(StoreTest, ErrorForAFolderThatCannotBeCreatedSaysWhatToDo) {
    write_file(file_, "");
    EXPECT_THAT([&] { Store::open(file_ / "below/a.db", Access::read_write); },
                ThrowsMessage<DatabaseError>(HasSubstr("REDTUNE_DB")));
}

TEST_F(StoreTest, ManyProcessesCanCreateOneDatabase) {
    std::vector<int> processes;
    for (int i = 0; i < 6; ++i) {
        processes.push_back(start_process([&] {
            Store store = Store::open(file_, Access::read_write);
            store.begin_sweep(h200(), {}, toolchain(), "gpu", "");
        }));
    }
    for (const int process : processes) EXPECT_TRUE(succeeded(process));
    const Store store = Store::open(file_, Access::read_only);
    EXPECT_EQ(store.connection().value("SELECT count(*) FROM sweep"), 6);
    EXPECT_EQ(store.devices().size(), 1U);
}

}  // namespace
}  // namespace redtune::db
