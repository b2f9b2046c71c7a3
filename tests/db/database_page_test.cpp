#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "db/connection.h"
#include "db/location.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::db {
namespace {

/// Returns the contents of all ```sql blocks of docs/database.md.
std::vector<std::string> queries_of_the_page() {
    const std::string page = read_file(test::source_path("docs/database.md"));
    const std::string begin = "```sql\n";
    std::vector<std::string> queries;
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
        at += begin.size();
        queries.push_back(page.substr(at, page.find("```", at) - at));
    }
    return queries;
}

TEST(DatabasePage, EveryQueryFindsRowsInTheRecording) {
    const Connection recording = Connection::open(recordings_in(test::shipped_data()).at(0).file, OpenMode::immutable);
    const std::vector<std::string> queries = queries_of_the_page();
    EXPECT_GE(queries.size(), 7U);
    for (const std::string& query : queries) {
        Statement statement = recording.prepare(query);
        const bool may_be_empty = query.find("FROM failures") != std::string::npos;
        EXPECT_TRUE(statement.step() || may_be_empty) << query;
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
