#include "db/sqlite_error.h"

#include <gtest/gtest.h>

#include "db/connection.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

/// Returns the message of the error that the SQL causes.
std::string message_of(Connection& connection, const std::string& sql) {
    try {
        connection.execute(sql);
    } catch (const DatabaseError& error) {
        return error.what();
    }
    return "";
}

TEST(SqliteError, NamesTheFileTheCauseAndTheExtendedCode) {
    const TemporaryFolder folder;
    Connection connection = Connection::open(folder / "a.db", OpenMode::create);
    connection.execute(
        "CREATE TABLE parent (x INTEGER PRIMARY KEY) STRICT;"
        "CREATE TABLE child (x INTEGER REFERENCES parent) STRICT");
    const std::string message = message_of(connection, "INSERT INTO child VALUES (1)");
    EXPECT_NE(message.find((folder / "a.db").string()), std::string::npos) << message;
    EXPECT_NE(message.find("FOREIGN KEY constraint failed"), std::string::npos) << message;
    EXPECT_NE(message.find("787"), std::string::npos) << message;  // SQLITE_CONSTRAINT_FOREIGNKEY
}

TEST(SqliteError, SaysWhatToDoIfAFileCannotBeWritten) {
    const TemporaryFolder folder;
    Connection::open(folder / "a.db", OpenMode::create).execute("CREATE TABLE t (x INTEGER) STRICT");
    Connection reader = Connection::open(folder / "a.db", OpenMode::read_only);
    const std::string message = message_of(reader, "INSERT INTO t VALUES (1)");
    EXPECT_NE(message.find("REDTUNE_DB"), std::string::npos) << message;
}

}  // namespace
}  // namespace redtune::db
