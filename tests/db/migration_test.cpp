#include "db/migration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "db/inspection.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

const Migration first{1, "0001_first.sql",
                      "CREATE TABLE parent (id INTEGER PRIMARY KEY, x INTEGER) STRICT;"
                      "CREATE TABLE child (parent_id INTEGER NOT NULL REFERENCES parent) STRICT;"};
// Rebuilds a table with the steps in SQLite's documentation of ALTER TABLE. A foreign key refers to the table.
const Migration second{2, "0002_second.sql",
                       "CREATE TABLE new_parent (id INTEGER PRIMARY KEY, x TEXT) STRICT;"
                       "INSERT INTO new_parent SELECT id, CAST(x AS TEXT) FROM parent;"
                       "DROP TABLE parent; ALTER TABLE new_parent RENAME TO parent;"};
const Migration broken{2, "0002_broken.sql", "CREATE TABLE half (x INTEGER) STRICT; INSERT INTO missing VALUES (1);"};
const Migration orphaning{2, "0002_orphaning.sql", "DELETE FROM parent;"};

class MigrationTest : public testing::Test {
  protected:
    Connection open() { return Connection::open(file_, OpenMode::create); }

    /// Creates a database of version 1 with a row in each table.
    void make_version_1() {
        Connection connection = open();
        connection.execute("PRAGMA journal_mode = WAL");
        migrate(connection, file_, {first});
        connection.execute("INSERT INTO parent VALUES (1, 42); INSERT INTO child VALUES (1)");
    }

    TemporaryFolder folder_;
    std::filesystem::path file_ = folder_ / "a.db";
    std::filesystem::path backup_ = folder_ / "a.db.bak-v1";
};

TEST_F(MigrationTest, EmbeddedVersionsHaveNoGap) {
    const auto migrations = embedded_migrations();
    ASSERT_FALSE(migrations.empty());
    for (std::size_t i = 0; i < migrations.size(); ++i) {
        EXPECT_EQ(migrations[i].version, static_cast<int>(i) + 1) << migrations[i].name;
    }
}

TEST_F(MigrationTest, CreatesADatabaseInAnEmptyFileWithoutABackup) {
    Connection connection = open();
    migrate(connection, file_, {first, second});
    EXPECT_EQ(schema_version(connection), 2);
    EXPECT_EQ(connection.value("PRAGMA application_id"), application_id);
    EXPECT_EQ(connection.value("PRAGMA foreign_keys"), 1);
    EXPECT_FALSE(std::filesystem::exists(backup_));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(MigrationTest, UpgradesAnExistingDatabaseAndKeepsACopy) {
    make_version_1();
    Connection connection = open();
    migrate(connection, file_, {first, second});
    EXPECT_EQ(schema_version(connection), 2);
    EXPECT_EQ(connection.text("SELECT typeof(x) || x FROM parent"), "text42");
    EXPECT_EQ(connection.value("SELECT count(*) FROM child JOIN parent ON parent.id = parent_id"), 1);

    const Connection backup = Connection::open(backup_, OpenMode::immutable);
    EXPECT_EQ(schema_version(backup), 1);
    EXPECT_EQ(backup.value("PRAGMA application_id"), application_id);
    EXPECT_EQ(backup.text("SELECT typeof(x) || x FROM parent"), "integer42");
    EXPECT_EQ(backup.text("PRAGMA integrity_check"), "ok");
}

TEST_F(MigrationTest, DoesNothingToADatabaseThatIsUpToDate) {
    make_version_1();
    const std::string before = read_file(file_);
    {
        Connection connection = open();
        migrate(connection, file_, {first});
    }
    EXPECT_EQ(read_file(file_), before);
    EXPECT_FALSE(std::filesystem::exists(backup_));
}

TEST_F(MigrationTest, AFailedMigrationChangesNothing) {
    make_version_1();
    for (const Migration& bad : {broken, orphaning}) {
        Connection connection = open();
        EXPECT_THROW(migrate(connection, file_, {first, bad}), DatabaseError) << bad.name;
        EXPECT_EQ(schema_version(connection), 1);
        EXPECT_EQ(connection.value("SELECT x FROM parent"), 42);
        EXPECT_EQ(connection.value("SELECT count(*) FROM sqlite_master WHERE name = 'half'"), 0);
    }
}

TEST_F(MigrationTest, RunsOnceIfSeveralProcessesMigrate) {
    make_version_1();
    std::vector<int> processes;
    for (int i = 0; i < 4; ++i) {
        processes.push_back(start_process([&] {
            Connection connection = open();
            migrate(connection, file_, {first, second});
        }));
    }
    for (const int process : processes) EXPECT_TRUE(succeeded(process));
    EXPECT_EQ(schema_version(open()), 2);
    EXPECT_EQ(open().text("SELECT typeof(x) || x FROM parent"), "text42");
    EXPECT_EQ(schema_version(Connection::open(backup_, OpenMode::immutable)), 1);
}

/// Returns the names of a view's columns, separated by commas.
std::string columns_of(const Connection& connection, const std::string& view) {
    return connection.text("SELECT group_concat(name) FROM pragma_table_info('" + view + "')");
}

class OlderFileTest : public MigrationTest {
  protected:
    /// Creates a file of version 1 with a winner.
    OlderFileTest() {
        {
            Store store = Store::open(folder_ / "new.db", Access::read_write);
            add_winner(store, h200(), {}, 1 << 20, Regime::cold, candidate(), 10);
            store.connection().text("PRAGMA journal_mode = DELETE");
        }
        Connection connection = open();
        migrate(connection, file_, {embedded_migrations().front()});
        connection.execute("ATTACH '" + (folder_ / "new.db").string() + "' AS new");
        for (const char* table : {"device", "device_unit", "toolchain", "family", "problem", "configuration", "sweep",
                                  "measurement", "winner"}) {
            // The columns of version 1 come first in every later version.
            const std::string columns =
                connection.text(std::string("SELECT group_concat(name) FROM (SELECT name FROM pragma_table_info('") +
                                table + "', 'main') ORDER BY cid)");
            connection.execute(std::string("INSERT INTO main.") + table + " SELECT " + columns + " FROM new." + table);
        }
    }
};

TEST_F(OlderFileTest, IsCopiedAndUpgradedWhenOpenedForWriting) {
    const Store store = Store::open(file_, Access::read_write);
    EXPECT_EQ(schema_version(store.connection()), embedded_migrations().back().version);
    EXPECT_EQ(store.connection().text("SELECT shape || accumulator_type || output_type FROM winners"), "wholef32f32");
    ASSERT_EQ(store.winners().size(), 1U);
    EXPECT_EQ(store.winners()[0].problem, Problem());

    const Connection backup = Connection::open(backup_, OpenMode::immutable);
    EXPECT_EQ(schema_version(backup), 1);
    EXPECT_EQ(backup.value("SELECT count(*) FROM winners"), 1);
    EXPECT_EQ(columns_of(backup, "winners").find("shape"), std::string::npos);
}

TEST_F(OlderFileTest, IsNotChangedWhenOpenedForReading) {
    const std::string before = read_file(file_);
    for (const Access access : {Access::read_only, Access::immutable}) {
        const Store store = Store::open(file_, access);
        EXPECT_EQ(store.connection().text("SELECT shape FROM winners"), "whole");
        EXPECT_EQ(store.winners().size(), 1U);
    }
    EXPECT_EQ(read_file(file_), before);
    EXPECT_FALSE(std::filesystem::exists(backup_));
}

TEST_F(OlderFileTest, ViewsKeepTheirColumnsAndGainThoseOfTheProblem) {
    const Connection old = open();
    const Store store = Store::open(folder_ / "new.db", Access::read_only);
    for (const char* view : {"measurements", "winners", "failures", "sweeps"}) {
        std::string expected = columns_of(old, view);
        const std::size_t after = expected.find(",dtype,");
        ASSERT_NE(after, std::string::npos) << view;
        expected.insert(after + 6, ",shape,accumulator_type,output_type");
        if (std::string(view) == "winners") expected += ",units,spread";
        if (std::string(view) != "sweeps") expected += ",data";
        if (std::string(view) == "winners") expected += ",data_ratios,effort";
        EXPECT_EQ(columns_of(store.connection(), view), expected);
    }
}

TEST_F(OlderFileTest, KeepsItsTablesAndTheirColumnsWhenUpgraded) {
    const std::string columns =
        "SELECT sqlite_master.name || '.' || info.name FROM sqlite_master, pragma_table_info(sqlite_master.name) AS "
        "info "
        "WHERE sqlite_master.type = 'table'";
    std::set<std::string> upgraded;
    const Store store = Store::open(folder_ / "new.db", Access::read_only);
    Statement now = store.connection().prepare(columns);
    while (now.step()) upgraded.insert(now.text(0));
    const Connection old = open();
    Statement before = old.prepare(columns);
    std::size_t found = 0;
    for (; before.step(); ++found) EXPECT_TRUE(upgraded.contains(before.text(0))) << before.text(0);
    EXPECT_GT(found, 50U);
}

TEST_F(OlderFileTest, WinnersBecomeThoseOfTheirUnits) {
    const Store store = Store::open(file_, Access::read_write);
    const auto winner = store.unit_winner(h200(), {}, 1 << 20, Regime::cold, Determinism::any);
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->measurement.id, store.winners().at(0).measurement.id);
    EXPECT_EQ(store.winners().at(0).units, 1U);
    EXPECT_FALSE(store.winners().at(0).spread);
    EXPECT_EQ(store.connection().text("SELECT ratio FROM unit_times"), "1.0");
}

TEST_F(OlderFileTest, SweepsGetTheSameIdentityInEveryCopy) {
    const Store store = Store::open(file_, Access::read_only);
    const std::string identity = store.connection().text("SELECT identity FROM sweep");
    EXPECT_NE(identity.find(h200().uuid), std::string::npos);
    EXPECT_NE(identity.find("NVIDIA H200"), std::string::npos);
    EXPECT_EQ(Store::open(file_, Access::read_write).connection().text("SELECT identity FROM sweep"), identity);
}

TEST_F(OlderFileTest, WinnersGetTheEffortOfTheirSweepsCommand) {
    const auto effort_after = [&](const std::string& options, std::uint64_t n = 1 << 20) {
        const std::filesystem::path copy = folder_ / "copy.db";
        std::filesystem::copy_file(file_, copy, std::filesystem::copy_options::overwrite_existing);
        {
            Connection connection = Connection::open(copy, OpenMode::create);
            connection.prepare("UPDATE sweep SET command = ?1").bind("redtune tune --op sum " + options).run();
            connection.prepare("UPDATE measurement SET n = ?1").bind(n).run();
            connection.prepare("UPDATE winner SET n = ?1").bind(n).run();
        }
        return Store::open(copy, Access::read_only).winners().at(0).effort;
    };
    EXPECT_EQ(effort_after("--effort quick --between 0 --checks 0"), "quick");
    EXPECT_EQ(effort_after("--effort exhaustive --between 4 --checks 8"), "exhaustive");
    EXPECT_EQ(effort_after("--effort exhaustive --between 0 --checks 8", 1001), "exhaustive");
    EXPECT_EQ(effort_after("--effort exhaustive --between 4 --checks 8", 1001), "") << "a size between";
    EXPECT_EQ(effort_after("--effort quick --between 0 --checks 0 --family tile"), "");
    EXPECT_EQ(effort_after("--effort quick --between 0 --checks 0 --budget 3s"), "");
    EXPECT_EQ(effort_after(""), "");
}

TEST_F(OlderFileTest, GetsCountsOfItsMeasurements) {
    const Store store = Store::open(file_, Access::read_only);
    EXPECT_EQ(store.connection().text("SELECT n || '/' || measurements || '/' || failures FROM measurement_count"),
              "1048576/1/0");
    EXPECT_EQ(list_contents(store).rows.size(), 1U);
    for (const Finding& finding : check(store)) EXPECT_TRUE(finding.sound) << finding.check << finding.detail;
}

TEST_F(OlderFileTest, CountsItsMeasurementsAndWinnersAsThoseOfUniformData) {
    const Store store = Store::open(file_, Access::read_only);
    const StoredWinner winner = store.winners().at(0);
    EXPECT_EQ(winner.data, uniform_only);
    EXPECT_EQ(winner.measurement.measurement.data, "uniform");
    EXPECT_EQ(store.connection().text("SELECT data || '/' || time_us FROM winner_data WHERE of_best IS NULL"),
              "uniform/10.0");
}

TEST_F(MigrationTest, AcceptsOnlyEmptyDatabasesAndThoseOfRedtune) {
    Connection connection = open();
    EXPECT_NO_THROW(check_identity(connection, "a.db", 1));
    migrate(connection, file_, {first});
    EXPECT_NO_THROW(check_identity(connection, "a.db", 1));

    connection.execute("PRAGMA user_version = 2");
    EXPECT_THAT([&] { check_identity(connection, "a.db", 1); },
                testing::ThrowsMessage<DatabaseError>(testing::HasSubstr("newer redtune")));
    connection.execute("PRAGMA user_version = 1; PRAGMA application_id = 5");
    EXPECT_THAT([&] { check_identity(connection, "a.db", 1); },
                testing::ThrowsMessage<DatabaseError>(testing::HasSubstr("another program")));
    connection.execute("PRAGMA user_version = 0; PRAGMA application_id = 0");
    EXPECT_THROW(check_identity(connection, "a.db", 1),
                 DatabaseError);  // the database has tables, but no application_id
}

}  // namespace
}  // namespace redtune::db
