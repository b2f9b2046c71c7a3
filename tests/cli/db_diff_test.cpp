#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"

namespace redtune::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class DbDiffTest : public testing::Test {
  protected:
    DbDiffTest() {
        add("a.db", 4, 10);
        add("a.db", 8, 9);
        add("b.db", 4, 10.2);
    }
    void add(const std::string& name, int unroll, double us) {
        db::Store store = db::Store::open(path(name), db::Access::read_write);
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::cold, db::candidate(unroll), us);
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    static Outcome diff(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"db", "diff"});
        return run_command(add_db_command, arguments);
    }

    db::TemporaryFolder folder_;
};

TEST_F(DbDiffTest, ShowsTheWinnersThatDiffer) {
    const Outcome outcome = diff({path("a.db"), path("b.db"), "--format", "md"});
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("1Mi"), HasSubstr("unroll=8"), HasSubstr("unroll=4"), HasSubstr("10.200"),
                                   HasSubstr("1.111")));
    EXPECT_EQ(outcome.err, "1 winners differ, 0 agree.\n");
    const json rows = json::parse(diff({path("a.db"), path("b.db"), "--format", "json"}).out);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0]["difference"], "winner");
    EXPECT_DOUBLE_EQ(rows[0]["b_in_a_ratio"], 10.0 / 9) << "the first sweep of A has the time of B's winner";
}

TEST_F(DbDiffTest, ComparesSweepsAndTakesATolerance) {
    EXPECT_EQ(diff({path("a.db") + "#1", path("b.db")}).err, "0 winners differ, 1 agree.\n");
    EXPECT_EQ(diff({path("a.db") + "#1", path("b.db")}).out, "");
    EXPECT_EQ(diff({path("a.db") + "#1", path("b.db"), "--tolerance", "1"}).err, "1 winners differ, 0 agree.\n");
}

TEST_F(DbDiffTest, ErrorsNameTheFileAndTheSweep) {
    EXPECT_THAT(
        [&] {
            diff({path("a.db") + "#7", path("b.db")});
        },
        ThrowsMessage<InputError>(AllOf(HasSubstr("a.db has no sweep '7'"), HasSubstr("redtune db show --db"))));
    EXPECT_THAT([&] { diff({path("a.db") + "#x", path("b.db")}); }, ThrowsMessage<InputError>(HasSubstr("'x'")));
    EXPECT_THAT([&] { diff({path("a.db"), path("none.db")}); }, ThrowsMessage<DatabaseError>(HasSubstr("none.db")));
    EXPECT_THAT(
        [&] {
            diff({path("a.db"), path("b.db"), "--tolerance", "-1"});
        },
        ThrowsMessage<InputError>(HasSubstr("--tolerance 5")));
}

}  // namespace
}  // namespace redtune::cli
