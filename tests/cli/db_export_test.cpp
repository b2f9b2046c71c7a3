#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_contents.h"
#include "tests/support/database_fixture.h"

namespace redtune::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

class DbExportTest : public testing::Test {
  protected:
    DbExportTest() {
        db::Store store = db::Store::open(path("a.db"), db::Access::read_write);
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::cold, db::candidate(), 12.5);
    }
    static Outcome run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "db");
        return run_command(add_db_command, arguments);
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::size_t files() const {
        const std::filesystem::directory_iterator first(folder_.path());
        return static_cast<std::size_t>(std::distance(first, {}));
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", folder_.path().c_str()};
    db::ScopedVariable user_{"REDTUNE_DB", path("user.db")};
};

TEST_F(DbExportTest, AnImportRestoresTheDatabase) {
    const Outcome exported = run({"export", "--db", path("a.db"), "-o", path("a.jsonl")});
    EXPECT_EQ(exported.exit_code, done);
    EXPECT_EQ(exported.out, "");
    EXPECT_THAT(exported.err, HasSubstr("rows were exported"));
    for (const char* news : {"1 sweeps (1 new), 1 measurements (1 new), 1 winners", "1 sweeps (0 new)"}) {
        const Outcome imported = run({"import", path("a.jsonl"), "--db", path("b.db")});
        EXPECT_EQ(imported.exit_code, done) << imported.err;
        EXPECT_THAT(imported.err, HasSubstr(news));
    }
    EXPECT_EQ(db::contents(path("b.db")), db::contents(path("a.db")));
}

TEST_F(DbExportTest, PassesThroughStandardStreamsAndYourOwnDatabase) {
    const Outcome exported = run({"export", "--db", path("a.db")});
    EXPECT_THAT(exported.out, HasSubstr(R"({"format":"redtune-database")"));
    std::istringstream in(exported.out);
    std::streambuf* const before = std::cin.rdbuf(in.rdbuf());
    const Outcome imported = run({"import", "-"});
    std::cin.rdbuf(before);
    EXPECT_EQ(imported.exit_code, done) << imported.err;
    EXPECT_EQ(db::contents(path("user.db")), db::contents(path("a.db")));
    EXPECT_EQ(run({"export"}).out, exported.out);
}

TEST_F(DbExportTest, ARejectedLineIsNamedAndNothingIsImported) {
    const std::string text = run({"export", "--db", path("a.db")}).out;
    std::istringstream lines(text);
    std::ofstream bad(path("bad.jsonl"));
    std::string line;
    for (int i = 0; i < 3 && std::getline(lines, line); ++i) bad << line << '\n';
    bad << "{\"nonsense\": 1\n";
    bad.close();
    const std::size_t before = files();
    const Outcome outcome = run({"import", path("bad.jsonl"), "--db", path("new.db")});
    EXPECT_EQ(outcome.exit_code, failed);
    EXPECT_THAT(outcome.err, HasSubstr(path("bad.jsonl") + ":4: the line is no JSON object"));
    EXPECT_THAT(outcome.err, HasSubstr("Nothing was imported"));
    EXPECT_EQ(files(), before) << "no database is made";

    const auto contents = db::contents(path("a.db"));
    EXPECT_EQ(run({"import", path("bad.jsonl"), "--db", path("a.db")}).exit_code, failed);
    EXPECT_EQ(db::contents(path("a.db")), contents);
}

TEST_F(DbExportTest, ManyRejectedLinesAreCounted) {
    std::ofstream bad(path("bad.jsonl"));
    bad << R"({"format":"redtune-database","version":7})" << '\n';
    for (int i = 0; i < 30; ++i) bad << "x\n";
    bad.close();
    const Outcome outcome = run({"import", path("bad.jsonl")});
    EXPECT_THAT(outcome.err, HasSubstr(":21: "));
    EXPECT_THAT(outcome.err, Not(HasSubstr(":22: ")));
    EXPECT_THAT(outcome.err, HasSubstr("and 11 further lines"));
}

TEST_F(DbExportTest, FilesThatCannotBeReadOrWrittenAreNamed) {
    EXPECT_THAT(
        [&] {
            run({"import", path("none.jsonl")});
        },
        ThrowsMessage<Error>(HasSubstr("none.jsonl cannot be read (No such file or directory)")));
    EXPECT_THAT([&] { run({"import", folder_.path().string()}); }, ThrowsMessage<Error>(HasSubstr("it is a folder")));
    EXPECT_THAT([&] { run({"export"}); }, ThrowsMessage<DatabaseError>(HasSubstr("no database at")));
    const std::size_t before = files();
    EXPECT_THAT(
        [&] {
            run({"export", "--db", path("a.db"), "-o", path("no/a.jsonl")});
        },
        ThrowsMessage<Error>(HasSubstr("cannot be written")));
    EXPECT_THROW(run({"export", "-o", path("a.jsonl")}), DatabaseError);
    EXPECT_EQ(files(), before);
}

}  // namespace
}  // namespace redtune::cli
