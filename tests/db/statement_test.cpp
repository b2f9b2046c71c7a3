#include "db/statement.h"

#include <gtest/gtest.h>

#include <limits>

#include "db/connection.h"
#include "redtune/error.h"

namespace redtune::db {
namespace {

TEST(Statement, ReturnsTheBoundValues) {
    const Connection connection = Connection::in_memory();
    Statement statement = connection.prepare("SELECT ?1, ?2, ?3, ?4, ?5, ?6");
    const std::string text("a\0b'\xC2\xB5", 6);
    statement.bind(std::numeric_limits<std::int64_t>::min(), 0.1, text, std::nullopt, std::optional<int>(7),
                   std::optional<double>());
    ASSERT_TRUE(statement.step());
    EXPECT_EQ(statement.integer(0), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(statement.real(1), 0.1);
    EXPECT_EQ(statement.text(2), text);
    EXPECT_TRUE(statement.is_null(3));
    EXPECT_EQ(statement.integer(4), 7);
    EXPECT_TRUE(statement.is_null(5));
    EXPECT_FALSE(statement.step());
}

TEST(Statement, DistinguishesEmptyTextFromNull) {
    const Connection connection = Connection::in_memory();
    Statement statement = connection.prepare("SELECT ?1");
    statement.bind(std::string_view());
    ASSERT_TRUE(statement.step());
    EXPECT_FALSE(statement.is_null(0));
    EXPECT_EQ(statement.text(0), "");
}

TEST(Statement, KeepsAllBitsOfUnsignedNumbers) {
    const Connection connection = Connection::in_memory();
    const std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(static_cast<std::uint64_t>(connection.prepare("SELECT ?1").bind(all).value().value()), all);
}

TEST(Statement, ValueIsEmptyWithoutARow) {
    const Connection connection = Connection::in_memory();
    EXPECT_EQ(connection.prepare("SELECT 1 WHERE false").value(), std::nullopt);
    EXPECT_EQ(connection.prepare("SELECT 5 UNION ALL SELECT 6").value(), 5);
}

TEST(Statement, CanBeUsedAgainAfterAFailure) {
    Connection connection = Connection::in_memory();
    connection.execute("CREATE TABLE t (x INTEGER CHECK (x > 0)) STRICT");
    Statement insert = connection.prepare("INSERT INTO t VALUES (?1)");
    EXPECT_THROW(insert.bind(-1).run(), DatabaseError);
    EXPECT_THROW(insert.bind(std::string_view("text")).run(), DatabaseError);
    insert.bind(1).run();
    EXPECT_EQ(connection.value("SELECT count(*) FROM t"), 1);
}

TEST(Statement, RejectsInvalidSql) {
    const Connection connection = Connection::in_memory();
    EXPECT_THROW(connection.prepare("SELEC 1"), DatabaseError);
}

TEST(Statement, NamesItsColumns) {
    const Connection connection = Connection::in_memory();
    const Statement statement = connection.prepare("SELECT 1 AS time_us, 2 AS n");
    ASSERT_EQ(statement.columns(), 2);
    EXPECT_EQ(statement.name(0), "time_us");
    EXPECT_EQ(statement.name(1), "n");
}

TEST(Statement, AViolatedConstraintIsAValueAndOtherFailuresAreErrors) {
    Connection connection = Connection::in_memory();
    connection.execute("CREATE TABLE t (x INTEGER CHECK (x > 0) UNIQUE) STRICT");
    Statement insert = connection.prepare("INSERT INTO t VALUES (?1)");
    EXPECT_EQ(insert.bind(1).run_or_violation(), std::nullopt);
    EXPECT_EQ(insert.bind(0).run_or_violation(), "CHECK constraint failed: x > 0");
    EXPECT_EQ(insert.bind(1).run_or_violation(), "UNIQUE constraint failed: t.x");
    EXPECT_EQ(insert.bind(2).run_or_violation(), std::nullopt);
    connection.execute("PRAGMA query_only = ON");
    EXPECT_THROW(insert.bind(3).run_or_violation(), DatabaseError);
}

}  // namespace
}  // namespace redtune::db
