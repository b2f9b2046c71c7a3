#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "db/connection.h"
#include "db/location.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::db {
namespace {

/// Returns the contents of all ```sql blocks of docs/queries.md.
std::vector<std::string> queries_of_the_page() {
    const std::string page = read_file(test::source_path("docs/queries.md"));
    const std::string begin = "```sql\n";
    std::vector<std::string> queries;
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
        at += begin.size();
        queries.push_back(page.substr(at, page.find("```", at) - at));
    }
    return queries;
}

/// Returns whether a query has rows in a shipped database.
bool finds_rows(const std::filesystem::path& file, const std::string& query) {
    return Connection::open(file, OpenMode::immutable).prepare(query).step();
}

TEST(QueriesPage, EveryQueryFindsRowsInAShippedDatabase) {
    const std::filesystem::path recording = recordings_in(test::shipped_data()).at(0).file;
    const std::filesystem::path winners = winners_files(test::shipped_data()).at(0);
    const std::vector<std::string> queries = queries_of_the_page();
    EXPECT_EQ(queries.size(), 20U);
    for (const std::string& query : queries) {
        const bool may_be_empty =
            query.find("FROM failures") != std::string::npos || query.find("WHERE rejected > 0") != std::string::npos;
        // Both are run, because a query that is wrong fails even where it would find nothing.
        const bool is_in_recording = finds_rows(recording, query);
        const bool is_in_winners = finds_rows(winners, query);
        EXPECT_TRUE(is_in_recording || is_in_winners || may_be_empty) << query;
    }
}

TEST(DatabasePage, NamesEveryRegimeAndStageOfTheRecording) {
    const std::string page = read_file(test::source_path("docs/database.md"));
    const Connection recording = Connection::open(recordings_in(test::shipped_data()).at(0).file, OpenMode::immutable);
    for (const char* table : {"regime", "stage", "status"}) {
        Statement names = recording.prepare(std::string("SELECT name FROM ") + table);
        while (names.step()) {
            if (table == std::string("status") && names.text(0) != "ok") continue;
            EXPECT_NE(page.find("`" + names.text(0) + "`"), std::string::npos) << table << ' ' << names.text(0);
        }
    }
}

}  // namespace
}  // namespace redtune::db
