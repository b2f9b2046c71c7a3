#include "db/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "db/exchange_format.h"
#include "db/import.h"
#include "db/inspection.h"
#include "db/merge.h"
#include "db/migration.h"
#include "redtune/version.h"
#include "tests/support/database_contents.h"
#include "tests/support/database_fixture.h"
#include "tests/support/random_databases.h"
#include "tuner/search/choose_over_units.h"

namespace redtune::db {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string exported(const std::filesystem::path& file) {
    std::ostringstream text;
    export_rows(Store::open(file, Access::read_only).connection(), text);
    return text.str();
}

/// Imports an export into a database. The test fails if a line is rejected.
void import_into(const std::filesystem::path& file, const std::string& text) {
    std::istringstream in(text);
    const ReadExport read = read_export(in, 5);
    for (const RejectedLine& line : read.rejected) ADD_FAILURE() << line.number << ": " << line.reason;
    Store::open(file, Access::read_write).add_rows(read.rows, search::update_winners);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

void an_import_restores_what_was_exported() {
    const TemporaryFolder folder;
    const std::vector<SweepSpec> sweeps = any_sweeps();
    const auto a = folder / "a.db";
    write_database(a, sweeps, any_copies(sweeps));
    const std::string text = exported(a);
    const auto restored = folder / "restored.db";
    import_into(restored, text);
    RC_ASSERT(contents(restored) == contents(a));
    RC_ASSERT(exported(restored) == text);
    for (const Finding& finding : check(Store::open(restored, Access::read_only))) RC_ASSERT(finding.sound);

    const std::array inputs{a};
    const auto merged = folder / "merged.db";
    merge(inputs, merged, false, search::update_winners);
    RC_ASSERT(all_rows(restored) == all_rows(merged));
    RC_ASSERT(exported(merged) == text);
}

void importing_is_merging() {
    const TemporaryFolder folder;
    const std::vector<SweepSpec> sweeps = any_sweeps();
    const std::array files{folder / "a.db", folder / "b.db"};
    for (const auto& file : files) write_database(file, sweeps, any_copies(sweeps));
    const auto merged = folder / "merged.db";
    merge(files, merged, false, search::update_winners);
    const std::string expected = exported(merged);
    for (const bool is_reversed : {false, true}) {
        const auto target = folder / (is_reversed ? "ba.db" : "ab.db");
        for (const int i : {0, 1, 0}) import_into(target, exported(files.at(is_reversed ? 1 - i : i)));
        RC_ASSERT(exported(target) == expected);
        RC_ASSERT(contents(target) == contents(merged));
    }
}

TEST(ExportProperties, AnImportRestoresWhatWasExported) {
    check_in_few_cases(an_import_restores_what_was_exported);
}

TEST(ExportProperties, ImportingIsMerging) {
    check_in_few_cases(importing_is_merging, 10);
}

TEST(Export, BeginsWithFormatAndVersionsAndEndsWithTheNumberOfRows) {
    const TemporaryFolder folder;
    {
        Store store = Store::open(folder / "a.db", Access::read_write);
        add_winner(store, h200(), {}, 1 << 20, Regime::warm, candidate(), 12.5);
    }
    const std::vector<std::string> lines = lines_of(exported(folder / "a.db"));
    EXPECT_EQ(lines.front(), R"({"format":"redtune-database","version":)" +
                                 std::to_string(embedded_migrations().back().version) + R"(,"redtune":")" +
                                 REDTUNE_VERSION + R"("})");
    EXPECT_EQ(lines.back(), R"({"rows":)" + std::to_string(lines.size() - 2) + "}");
    EXPECT_THAT(lines.at(1), StartsWith(R"({"table":"device","id":1,"name":"NVIDIA H200",)"));
    const auto measurement = std::find_if(
        lines.begin(), lines.end(), [](const auto& line) { return line.starts_with(R"({"table":"measurement")"); });
    ASSERT_NE(measurement, lines.end());
    EXPECT_THAT(*measurement, testing::AllOf(HasSubstr(R"("regime":"warm")"), HasSubstr(R"("samples":[12.419,)"),
                                             HasSubstr(R"("median_us":12.5)"), HasSubstr(R"("data":"uniform")")));
}

TEST(Export, EveryTableIsExportedOrDerivedOrNamesOthers) {
    Connection connection = Connection::in_memory();
    migrate(connection, {}, embedded_migrations());
    std::set<std::string> expected{"winner", "measurement_count", "regime", "stage", "status", "data"};
    for (const ExchangedTable& table : exchanged_tables(connection)) expected.insert(table.name);
    std::set<std::string> tables;
    Statement names = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
    while (names.step()) tables.insert(names.text(0));
    EXPECT_EQ(tables, expected) << "add a new table to exchange_format.cpp, after the tables to which it refers";
}

TEST(Export, TextsAndNumbersSurviveWhateverTheyAre) {
    const TemporaryFolder folder;
    const auto a = folder / "a.db";
    {
        Store store = Store::open(a, Access::read_write);
        DeviceInfo device = h200();
        device.name = "a \"quoted\"\nname \x01 \xC2\xB5 \xFF no UTF-8";
        add_winner(store, device, {}, 1 << 20, Regime::cold, candidate(), 0.1 + 0.2);
        auto& connection = const_cast<Connection&>(store.connection());
        connection.execute("UPDATE measurement SET samples = '[1.2346e+05,1.50,12]', floor_us = 1.0/3");
    }
    const std::string text = exported(a);
    EXPECT_THAT(text, HasSubstr(R"("samples":[1.2346e+05,1.50,12])")) << "digits are kept";
    import_into(folder / "b.db", text);
    EXPECT_EQ(contents(folder / "b.db"), contents(a));
    EXPECT_EQ(exported(folder / "b.db"), text);
}

}  // namespace
}  // namespace redtune::db
