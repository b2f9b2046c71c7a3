#include "db/merge.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "db/connection.h"
#include "db/inspection.h"
#include "db/migration.h"
#include "redtune/error.h"
#include "tests/support/database_contents.h"
#include "tests/support/database_fixture.h"
#include "tests/support/random_databases.h"
#include "tuner/search/choose_over_units.h"
#include "tuner/search/effort.h"

namespace redtune::db {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using Path = std::filesystem::path;

/// A folder with databases.
class Folder {
  public:
    Path path(const std::string& name) const { return folder_ / name; }
    std::size_t files() const {
        const std::filesystem::directory_iterator first(folder_.path());
        return static_cast<std::size_t>(std::distance(first, {}));
    }
    /// Merges databases into a new file of the folder.
    Path merged(const std::vector<Path>& inputs) {
        Path output = path(fmt::format("merged{}.db", ++made_));
        merge(inputs, output, false, search::update_winners);
        return output;
    }

  private:
    TemporaryFolder folder_;
    int made_ = 0;
};

void neither_order_nor_steps_nor_repetition_matter(Folder& folder) {
    const std::vector<SweepSpec> sweeps = any_sweeps();
    std::vector<Path> files;
    for (const char* name : {"a.db", "b.db", "c.db"}) {
        files.push_back(folder.path(name));
        write_database(files.back(), sweeps, any_copies(sweeps));
    }
    const Path &a = files[0], &b = files[1], &c = files[2];
    const Path ab = folder.merged({a, b});
    const Path once = folder.merged({a});
    RC_ASSERT(all_rows(ab) == all_rows(folder.merged({b, a})));
    RC_ASSERT(all_rows(folder.merged({a, a})) == all_rows(once));
    RC_ASSERT(all_rows(folder.merged({once})) == all_rows(once));
    const std::vector<std::string> all = all_rows(folder.merged({a, b, c}));
    RC_ASSERT(all_rows(folder.merged({ab, c})) == all);
    RC_ASSERT(all_rows(folder.merged({a, folder.merged({b, c})})) == all);
    RC_ASSERT(all_rows(folder.merged({ab, b, c, a})) == all);
    for (const Finding& finding : check(Store::open(ab, Access::read_only))) RC_ASSERT(finding.sound);
}

void nothing_is_lost_or_added(Folder& folder) {
    const std::vector<SweepSpec> sweeps = any_sweeps();
    const std::vector<Copy> copies = any_copies(sweeps);
    const Path a = folder.path("a.db");
    write_database(a, sweeps, copies);
    RC_ASSERT(contents(folder.merged({a})) == contents(a));

    // Two databases with different sweeps have, together, what one database with all these sweeps has.
    std::vector<Copy> left;
    std::vector<Copy> right;
    for (const Copy& copy : copies) (*rc::gen::arbitrary<bool>() ? left : right).push_back(copy);
    const Path b = folder.path("b.db");
    const Path c = folder.path("c.db");
    write_database(b, sweeps, left);
    write_database(c, sweeps, right);
    const Store whole = Store::open(folder.merged({a}), Access::read_only);
    const Store together = Store::open(folder.merged({b, c}), Access::read_only);
    for (const char* table : {"sweep", "measurement", "configuration", "device", "device_unit"}) {
        const std::string count = fmt::format("SELECT count(*) FROM {}", table);
        RC_ASSERT(together.connection().value(count) == whole.connection().value(count));
    }
}

void merging_in_place_adds_the_same_rows(Folder& folder) {
    const std::vector<SweepSpec> sweeps = any_sweeps();
    std::vector<Path> files;
    for (const char* name : {"a.db", "b.db", "ab.db", "ba.db", "copy.db"}) files.push_back(folder.path(name));
    write_database(files[0], sweeps, any_copies(sweeps));
    write_database(files[1], sweeps, any_copies(sweeps));
    const auto merged_in_place = [&](const Path& target, const Path& first, const Path& second) {
        for (const Path& input : {first, second, first}) {
            const std::array inputs{input};
            merge_into(inputs, target, search::update_winners);
        }
        return contents(target);
    };
    const std::vector<std::string> expected = contents(folder.merged({files[0], files[1]}));
    RC_ASSERT(merged_in_place(files[2], files[0], files[1]) == expected);
    RC_ASSERT(merged_in_place(files[3], files[1], files[0]) == expected);
    RC_ASSERT(all_rows(folder.merged({files[2]})) == all_rows(folder.merged({files[3]})));

    const std::vector<std::string> before = all_rows(files[2]);
    const std::array both{files[0], files[1]};
    merge_into(both, files[2], search::update_winners);
    RC_ASSERT(all_rows(files[2]).size() == before.size());
    RC_ASSERT(contents(files[2]) == expected);
}

TEST(MergeProperties, MergingInPlaceAddsTheSameRows) {
    const auto property = [] {
        Folder folder;
        merging_in_place_adds_the_same_rows(folder);
    };
    check_in_few_cases(property, 10);
}

TEST(MergeProperties, NeitherOrderNorStepsNorRepetitionMatter) {
    check_in_few_cases([] {
        Folder folder;
        neither_order_nor_steps_nor_repetition_matter(folder);
    });
}

TEST(MergeProperties, NothingIsLostOrAdded) {
    check_in_few_cases([] {
        Folder folder;
        nothing_is_lost_or_added(folder);
    });
}

class MergeFilesTest : public testing::Test, protected Folder {
  protected:
    /// Makes a database with a winner of one unit.
    Path make(const std::string& name, const std::string& unit, const Candidate& winner, double time_us) {
        Store store = Store::open(path(name), Access::read_write);
        DeviceInfo device = h200();
        device.uuid = unit;
        add_winner(store, device, {}, 1 << 20, Regime::cold, winner, time_us);
        return path(name);
    }

    /// Makes a database with a winner.
    /// @param day of November 2026, on which it was measured
    Path make_searched(const std::string& effort, int day, const std::string& driver, const std::string& source = "gpu",
                       const std::string& unit = "GPU-1") {
        const Path file = path(fmt::format("{}-{}-{}.db", effort, day, driver));
        Store store = Store::open(file, Access::read_write);
        DeviceInfo device = h200();
        device.uuid = unit;
        ToolchainInfo versions = toolchain();
        versions.driver_version = driver;
        const std::int64_t sweep = store.begin_sweep(device, {}, versions, source, "redtune tune");
        Measurement taken = measurement(10 + day);
        taken.measured_at = fmt::format("2026-11-{}T00:00:00Z", day);
        const Candidate winner = candidate();
        const std::int64_t id =
            store.record(sweep, winner, "hash", 1 << 20, Regime::cold, make_plan(winner.rule, 1 << 20), taken);
        store.set_winner(sweep, 1 << 20, Regime::cold, Determinism::any, id, "time", {}, {}, uniform_only, effort);
        store.finish_sweep(sweep, "finished");
        return file;
    }

    /// Returns the only winner of two merged databases.
    StoredWinner winner_of(const Path& a, const Path& b) {
        const Store store = Store::open(merged({a, b}), Access::read_only);
        return store.winners().at(0);
    }
};

TEST_F(MergeFilesTest, MoreEffortReplacesLessAndNeverTheReverse) {
    std::vector<std::string> efforts = search::effort_names();
    efforts.insert(efforts.begin(), "");  // not known
    for (std::size_t less = 0; less < efforts.size(); ++less) {
        for (std::size_t more = less + 1; more < efforts.size(); ++more) {
            const StoredWinner kept = winner_of(make_searched(efforts[less], 12, "580.159.04"),
                                                make_searched(efforts[more], 11, "580.159.04"));
            EXPECT_EQ(kept.effort, efforts[more]) << "not " << efforts[less] << ", though that was measured later";
        }
    }
}

TEST_F(MergeFilesTest, OfTheSameEffortTheLaterWinnerIsKept) {
    const Path first = make_searched("standard", 11, "580.159.04");
    EXPECT_EQ(winner_of(make_searched("standard", 12, "580.159.04"), first).measurement.measurement.measured_at,
              "2026-11-12T00:00:00Z");
}

TEST_F(MergeFilesTest, AWinnerOfANewerDriverIsKeptWhateverItsEffort) {
    const Path newer = make_searched("quick", 11, "580.159.04");
    EXPECT_EQ(winner_of(make_searched("exhaustive", 12, "580.95.05"), newer).effort, "quick");
}

TEST_F(MergeFilesTest, AWinnerOfAReplayHidesNoneOfAGpuWhoseUnitIsNotKnown) {
    const Path gpu = make_searched("quick", 11, "580.159.04", "gpu", "");
    EXPECT_EQ(winner_of(make_searched("exhaustive", 12, "recorded", "replay:h200", ""), gpu).source, "gpu");
}

TEST_F(MergeFilesTest, PutsUnitsTogether) {
    const Path output = merged({make("a.db", "GPU-1", candidate(4), 10), make("b.db", "GPU-2", candidate(4), 10.5)});
    const Store store = Store::open(output, Access::read_only);
    EXPECT_EQ(store.connection().value("SELECT count(*) FROM device"), 1);
    EXPECT_EQ(store.connection().value("SELECT count(*) FROM device_unit"), 2);
    ASSERT_EQ(store.winners().size(), 1U);
    EXPECT_EQ(store.winners()[0].units, 2U);
    EXPECT_EQ(store.winners()[0].spread, 1.0);
    EXPECT_EQ(store.connection().value("SELECT count(*) FROM unit_times"), 2);
}

TEST_F(MergeFilesTest, ReadsOlderFilesAndChangesNoInput) {
    const Path old = path("old.db");
    const Path other = make("other.db", "GPU-2", candidate(4), 11);
    {
        const Path made = make("new.db", "GPU-1", candidate(4), 10);
        Connection::open(made, OpenMode::create).text("PRAGMA journal_mode = DELETE");
        Connection connection = Connection::open(old, OpenMode::create);
        migrate(connection, old, {embedded_migrations().front()});
        connection.execute("ATTACH '" + made.string() + "' AS new");
        for (const std::string table : {"device", "device_unit", "toolchain", "family", "problem", "configuration",
                                        "sweep", "measurement", "winner"}) {
            const std::string columns =
                connection.text("SELECT group_concat(name) FROM pragma_table_info('" + table + "')");
            connection.execute("INSERT INTO main." + table + " SELECT " + columns + " FROM new." + table);
        }
    }
    const std::string before = read_file(old);
    const Path output = merged({old, other});
    EXPECT_EQ(read_file(old), before);
    const Store store = Store::open(output, Access::read_only);
    EXPECT_EQ(schema_version(store.connection()), embedded_migrations().back().version);
    EXPECT_EQ(store.connection().value("SELECT count(*) FROM unit_winner"), 2);
    EXPECT_EQ(all_rows(merged({old, old})), all_rows(merged({old}))) << "sweeps of old files have an identity, too";
}

TEST_F(MergeFilesTest, AWinnersFileAddsNothingToTheDatabaseItWasMadeOf) {
    const Path a = make("a.db", "GPU-1", candidate(4), 10);
    const Path stripped = path("stripped.db");
    std::filesystem::copy(merged({a}), stripped);
    Connection::open(stripped, OpenMode::create).execute("UPDATE measurement SET samples = '[]'");
    EXPECT_EQ(all_rows(merged({a, stripped})), all_rows(merged({a})));
}

TEST_F(MergeFilesTest, RefusesWhatIsNoDatabaseOfRedtuneAndLeavesNothing) {
    const Path good = make("good.db", "GPU-1", candidate(4), 10);
    const Path text = path("text.db");
    write_file(text,
               "this is a text file and no database, though it is long enough to have a header of one hundred bytes");
    const Path foreign = path("foreign.db");
    Connection::open(foreign, OpenMode::create).execute("CREATE TABLE x (y)");
    const std::size_t before = files();
    const std::vector<std::pair<Path, std::string>> refused{
        {path("none.db"), "no database at"}, {text, "not a database"}, {foreign, "another program"}};
    for (const auto& each : refused) {
        EXPECT_THAT(
            [&] {
                merged({good, each.first});
            },
            ThrowsMessage<DatabaseError>(HasSubstr(each.second)))
            << each.first;
    }
    const std::vector<Path> inputs{good};
    for (const Path& bad : {text, foreign}) {
        EXPECT_THROW(merge(inputs, bad, true, search::update_winners), DatabaseError) << "as the output: " << bad;
    }
    EXPECT_EQ(files(), before);
    EXPECT_EQ(read_file(text).substr(0, 4), "this");
}

TEST_F(MergeFilesTest, AnExistingOutputIsReplacedOnlyIfAskedForAndCopied) {
    const Path a = make("a.db", "GPU-1", candidate(4), 10);
    const Path b = make("b.db", "GPU-2", candidate(4), 11);
    const std::vector<Path> both{a, b};
    const auto before = contents(a);
    EXPECT_THAT([&] { merge(both, a, false, search::update_winners); },
                ThrowsMessage<InputError>(HasSubstr("--force")));
    EXPECT_EQ(contents(a), before);
    merge(both, a, true, search::update_winners);
    EXPECT_EQ(Store::open(a, Access::read_only).winners().at(0).units, 2U);
    EXPECT_EQ(contents(a.string() + ".bak-merge-1"), before);
    EXPECT_FALSE(std::filesystem::exists(a.string() + "-wal"));
}

TEST_F(MergeFilesTest, AFailureInPlaceLeavesTheTarget) {
    const Path a = make("a.db", "GPU-1", candidate(4), 10);
    const std::array inputs{make("b.db", "GPU-2", candidate(2), 9)};
    const auto before = all_rows(a);
    EXPECT_THROW(merge_into(inputs, a, [](Store&) { throw DatabaseError("disk full"); }), DatabaseError);
    EXPECT_EQ(all_rows(a), before);
    const std::array missing{path("none.db")};
    EXPECT_THROW(merge_into(missing, path("new.db"), search::update_winners), DatabaseError);
    EXPECT_FALSE(std::filesystem::exists(path("new.db")));
}

TEST_F(MergeFilesTest, AFailureLeavesTheExistingOutput) {
    const Path a = make("a.db", "GPU-1", candidate(4), 10);
    const std::vector<Path> inputs{a};
    const auto before = contents(a);
    const std::size_t files_before = files();
    EXPECT_THROW(merge(inputs, a, true, [](Store&) { throw DatabaseError("disk full"); }), DatabaseError);
    EXPECT_EQ(contents(a), before);
    EXPECT_EQ(files(), files_before);
}

}  // namespace
}  // namespace redtune::db
