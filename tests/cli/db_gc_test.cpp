#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/connection.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"

namespace redtune::cli {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class DbGcTest : public testing::Test {
  protected:
    DbGcTest() {
        db::Store store = db::Store::open(file_, db::Access::read_write);
        db::add_winner(store, db::h200(), {}, 1 << 20, Regime::cold, db::candidate(4), 10);
        DeviceInfo other = db::h200();
        other.name = "NVIDIA L4";
        db::add_winner(store, other, {}, 1 << 20, Regime::cold, db::candidate(4), 30);
    }
    static Outcome gc(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"db", "gc"});
        return run_command(add_db_command, arguments);
    }
    std::int64_t measurements() const {
        return db::Store::open(file_, db::Access::read_only).connection().value("SELECT count(*) FROM measurement");
    }

    db::TemporaryFolder folder_;
    std::filesystem::path file_ = folder_ / "user.db";
    db::ScopedVariable user_{"REDTUNE_DB", file_.c_str()};
};

TEST_F(DbGcTest, RemovesADeviceFromTheUsersFile) {
    const Outcome outcome = gc({"--device", "l4", "--with-winners"});
    EXPECT_EQ(outcome.exit_code, done);
    EXPECT_THAT(outcome.err, HasSubstr("1 measurements, 1 sweeps and 1 winners were removed. The file had"));
    EXPECT_EQ(measurements(), 1);
}

TEST_F(DbGcTest, OtherCodeIsNotThisProgramsCode) {
    EXPECT_THAT(gc({"--other-code"}).err, HasSubstr("0 measurements")) << "they are winners";
    EXPECT_THAT(gc({"--other-code", "--with-winners"}).err, HasSubstr("2 measurements"));
    EXPECT_EQ(measurements(), 0);
}

TEST_F(DbGcTest, ADryRunChangesNothing) {
    EXPECT_THAT(gc({"--older-than", "0", "--with-winners", "--dry-run"}).err,
                HasSubstr("2 measurements, 2 sweeps and 2 winners would be removed; nothing was."));
    EXPECT_EQ(measurements(), 2);
}

TEST_F(DbGcTest, ErrorsSayWhatIsAllowedAndRemoveNothing) {
    EXPECT_THAT([] { gc({}); }, ThrowsMessage<InputError>(HasSubstr("--older-than DAYS, --other-code, --device NAME")));
    EXPECT_THAT([] { gc({"--older-than", "-1"}); }, ThrowsMessage<InputError>(HasSubstr("--older-than 90")));
    EXPECT_THAT([] { gc({"--device", "b200"}); }, ThrowsMessage<InputError>(HasSubstr("no device 'b200'")));
    const std::string missing = (folder_ / "missing.db").string();
    EXPECT_THAT([&] { gc({"--older-than", "1", "--db", missing}); }, ThrowsMessage<DatabaseError>(HasSubstr(missing)));
    EXPECT_FALSE(std::filesystem::exists(missing));
    EXPECT_EQ(measurements(), 2);
}

}  // namespace
}  // namespace redtune::cli
