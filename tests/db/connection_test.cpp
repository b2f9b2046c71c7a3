#include "db/connection.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

constexpr auto make_table = "PRAGMA journal_mode = WAL; CREATE TABLE t (x INTEGER) STRICT; INSERT INTO t VALUES (7)";

TEST(Connection, OpensPathsWithCharactersReservedInUris) {
    const TemporaryFolder folder;
    for (const std::string name : {"a b.db", "50%41.db", "what?mode=ro.db", "no#1.db", "\xC3\xBC.db"}) {
        Connection::open(folder / name, OpenMode::create).execute(make_table);
        EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
        EXPECT_EQ(Connection::open(folder / name, OpenMode::read_only).value("SELECT x FROM t"), 7) << name;
        EXPECT_EQ(Connection::open(folder / name, OpenMode::immutable).value("SELECT x FROM t"), 7) << name;
    }
}

TEST(Connection, DoesNotChangeAFileThatIsNotADatabase) {
    const TemporaryFolder folder;
    for (const std::string& junk : {std::string("hello"), std::string(5000, 'x'), std::string(100, '\0')}) {
        write_file(folder / "junk", junk);
        for (const OpenMode mode : {OpenMode::create, OpenMode::read_only, OpenMode::immutable}) {
            EXPECT_THROW(Connection::open(folder / "junk", mode), DatabaseError);
            EXPECT_EQ(read_file(folder / "junk"), junk);
        }
    }
    EXPECT_THROW(Connection::open(folder.path(), OpenMode::create), DatabaseError);
}

TEST(Connection, ReadersCannotWriteAndLeaveNoOtherFiles) {
    const TemporaryFolder folder;
    Connection::open(folder / "a.db", OpenMode::create).execute(make_table);
    const std::string before = read_file(folder / "a.db");
    for (const OpenMode mode : {OpenMode::read_only, OpenMode::immutable}) {
        Connection reader = Connection::open(folder / "a.db", mode);
        EXPECT_EQ(reader.value("SELECT x FROM t"), 7);
        EXPECT_THROW(reader.execute("INSERT INTO t VALUES (8)"), DatabaseError);
    }
    EXPECT_EQ(read_file(folder / "a.db"), before);
    EXPECT_FALSE(std::filesystem::exists(folder / "a.db-wal"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.db-shm"));
}

TEST(Connection, ReadersSeeLaterCommits) {
    const TemporaryFolder folder;
    Connection writer = Connection::open(folder / "a.db", OpenMode::create);
    writer.execute(make_table);
    const Connection reader = Connection::open(folder / "a.db", OpenMode::read_only);
    writer.execute("UPDATE t SET x = 8");
    EXPECT_EQ(reader.value("SELECT x FROM t"), 8);
}

TEST(Connection, ReadsInAFolderWithoutWritePermission) {
    const TemporaryFolder folder;
    const auto read = [&] {
        return start_process([&] {
            constexpr uid_t nobody = 65534;
            if (geteuid() == 0 && setuid(nobody) != 0) throw std::runtime_error("cannot become nobody");
            if (access(folder.path().c_str(), W_OK) == 0) throw std::runtime_error("the folder can be written to");
            if (Connection::open(folder / "a.db", OpenMode::read_only).value("SELECT x FROM t") != 7) {
                throw std::runtime_error("read something else");
            }
        });
    };
    const auto read_and_execute = std::filesystem::perms(0555);
    {
        Connection writer = Connection::open(folder / "a.db", OpenMode::create);
        writer.execute(make_table);
        std::filesystem::permissions(folder.path(), read_and_execute);
        EXPECT_TRUE(succeeded(read())) << "beside a writer, whose write-ahead log holds the row";
        std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
    }
    std::filesystem::permissions(folder.path(), read_and_execute);
    EXPECT_TRUE(succeeded(read())) << "where there is no write-ahead log";
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

TEST(Connection, EnforcesForeignKeys) {
    EXPECT_EQ(Connection::in_memory().value("PRAGMA foreign_keys"), 1);
}

TEST(Connection, CopiesTheWholeDatabase) {
    Connection source = Connection::in_memory();
    source.execute("CREATE TABLE t (x INTEGER) STRICT; INSERT INTO t VALUES (7); PRAGMA user_version = 3");
    Connection target = Connection::in_memory();
    source.copy_to(target);
    EXPECT_EQ(target.value("SELECT x FROM t"), 7);
    EXPECT_EQ(target.value("PRAGMA user_version"), 3);
}

TEST(Transaction, RollsBackUnlessCommitted) {
    Connection connection = Connection::in_memory();
    connection.execute("CREATE TABLE t (x INTEGER) STRICT");
    {
        const Transaction dropped(connection);
        connection.execute("INSERT INTO t VALUES (1)");
    }
    EXPECT_EQ(connection.value("SELECT count(*) FROM t"), 0);
    Transaction kept(connection);
    connection.execute("INSERT INTO t VALUES (1)");
    kept.commit();
    EXPECT_EQ(connection.value("SELECT count(*) FROM t"), 1);
}

TEST(Connection, ATransactionInsideAnotherIsASavepoint) {
    Connection connection = Connection::temporary();
    connection.execute("CREATE TABLE t (x)");
    {
        Transaction outer(connection);
        connection.execute("INSERT INTO t VALUES (1)");
        {
            const Transaction undone(connection);
            connection.execute("INSERT INTO t VALUES (2)");
        }
        {
            Transaction kept(connection);
            connection.execute("INSERT INTO t VALUES (3)");
            kept.commit();
        }
        EXPECT_TRUE(connection.is_in_transaction());
        outer.commit();
    }
    EXPECT_FALSE(connection.is_in_transaction());
    EXPECT_EQ(connection.text("SELECT group_concat(x) FROM t"), "1,3");
    {
        const Transaction undone(connection);
        Transaction inner(connection);
        connection.execute("DELETE FROM t");
        inner.commit();
    }
    EXPECT_EQ(connection.value("SELECT count(*) FROM t"), 2) << "the outer transaction was not committed";
}

}  // namespace
}  // namespace redtune::db
