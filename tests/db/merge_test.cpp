#include "db/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>

#include "db/connection.h"
#include "db/inspection.h"
#include "db/migration.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/search/choose_over_units.h"

namespace redtune::db {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::array tables = {"device", "device_unit", "toolchain",   "family",      "problem", "configuration",
                               "data",   "sweep",       "measurement", "unit_winner", "winner"};

/// Returns every row of every table, with all ids.
std::vector<std::string> all_rows(const std::filesystem::path& file) {
    const Connection connection = Connection::open(file, OpenMode::read_only);
    std::vector<std::string> lines;
    for (const char* table : tables) {
        Statement rows = connection.prepare(fmt::format("SELECT * FROM {} ORDER BY 1, 2", table));
        while (rows.step()) {
            std::string line = table;
            for (int i = 0; i < rows.columns(); ++i) line += '|' + (rows.is_null(i) ? "NULL" : rows.text(i));
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

/// Returns the rows of the views without their ids, sorted: equal for databases that hold the same.
std::vector<std::string> contents(const std::filesystem::path& file) {
    const Store store = Store::open(file, Access::read_only);
    std::vector<std::string> lines;
    for (const char* view : {"measurements", "winners", "unit_times", "sweeps"}) {
        Statement rows = store.connection().prepare(fmt::format("SELECT * FROM {}", view));
        while (rows.step()) {
            std::string line = view;
            for (int i = 0; i < rows.columns(); ++i) {
                const std::string name = rows.name(i);
                if (name != "measurement_id" && name != "sweep_id") line += '|' + rows.text(i);
            }
            lines.push_back(std::move(line));
        }
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

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

/// Checks a property in a fifth of the usual number of cases, because each case writes and merges a dozen files.
void check_in_few_cases(const std::function<void(Folder&)>& property) {
    rc::detail::TestParams parameters = rc::detail::configuration().testParams;
    parameters.maxSuccess /= 5;
    const auto result = rc::detail::checkTestable(
        [&] {
            Folder folder;
            property(folder);
        },
        rc::detail::TestMetadata(), parameters);
    std::ostringstream message;
    rc::detail::printResultMessage(result, message);
    EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << message.str();
}

constexpr std::array kinds_of_data = {"uniform", "outlier", "file:a.bin@0123"};

/// A measurement of a generated sweep.
struct Taken {
    int unroll;
    bool deterministic;
    std::uint64_t n;
    bool warm;
    int stage;
    int status;
    int time_us;
    int second;
    int data;  ///< index in kinds_of_data
};

/// A sweep that may be in several generated databases.
struct SweepSpec {
    int device;
    int unit;  ///< 0: unknown
    int problem;
    int code;
    int started;
    bool is_replay;
    std::vector<Taken> taken;
};

/// A part of a sweep that a generated database has.
struct Copy {
    std::size_t spec;
    std::size_t length;  ///< number of its measurements
    bool has_samples;    ///< whether measurements that did not win have samples
    bool is_finished;
};

rc::Gen<Taken> any_taken() {
    return rc::gen::construct<Taken>(rc::gen::inRange(1, 4), rc::gen::arbitrary<bool>(),
                                     rc::gen::element<std::uint64_t>(1 << 10, 1 << 12), rc::gen::arbitrary<bool>(),
                                     rc::gen::weightedElement<int>({{1, 0}, {1, 1}, {4, 2}}),
                                     rc::gen::weightedElement<int>({{5, 0}, {1, 1}}), rc::gen::inRange(100, 106),
                                     rc::gen::inRange(0, 3), rc::gen::weightedElement<int>({{4, 0}, {2, 1}, {1, 2}}));
}

rc::Gen<std::vector<SweepSpec>> any_sweeps() {
    return rc::gen::resize(
        8, rc::gen::container<std::vector<SweepSpec>>(rc::gen::construct<SweepSpec>(
               rc::gen::inRange(0, 2), rc::gen::inRange(0, 4), rc::gen::inRange(0, 2), rc::gen::inRange(0, 2),
               rc::gen::inRange(0, 3), rc::gen::weightedElement<bool>({{4, false}, {1, true}}),
               rc::gen::container<std::vector<Taken>>(any_taken()))));
}

std::vector<Copy> any_copies(const std::vector<SweepSpec>& sweeps) {
    std::vector<Copy> copies;
    for (std::size_t i = 0; i < sweeps.size(); ++i) {
        if (*rc::gen::inRange(0, 3) == 0) continue;
        const std::size_t all = sweeps[i].taken.size();
        const bool is_whole = *rc::gen::inRange(0, 3) != 0;
        copies.push_back({i, is_whole ? all : *rc::gen::inRange<std::size_t>(0, all + 1), *rc::gen::inRange(0, 4) != 0,
                          *rc::gen::arbitrary<bool>()});
    }
    return copies;
}

/// Stores the winners of a sweep: the fastest final measurement of each cell and determinism.
void set_winners(Store& store, std::int64_t sweep, const std::vector<Taken>& taken,
                 const std::vector<std::int64_t>& ids) {
    for (const Determinism determinism : {Determinism::any, Determinism::run_to_run}) {
        std::map<std::pair<std::uint64_t, bool>, std::size_t> best;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (taken[i].stage != 2 || taken[i].status != 0) continue;
            if (determinism == Determinism::run_to_run && !taken[i].deterministic) continue;
            const auto [found, is_first] = best.try_emplace({taken[i].n, taken[i].warm}, i);
            if (taken[i].time_us < taken[found->second].time_us) found->second = i;
        }
        for (const auto& [cell, i] : best) {
            std::vector<DataRatio> data{{kinds_of_data[taken[i].data], 1.0}};
            if (taken[i].data == 0 && taken[i].unroll != 1) data.push_back({"outlier", 1.01});
            store.set_winner(sweep, cell.first, cell.second ? Regime::warm : Regime::cold, determinism, ids[i], "time",
                             1.0 + taken[i].time_us * 1e-3, std::nullopt, data);
        }
    }
}

void write(const std::filesystem::path& file, const std::vector<SweepSpec>& sweeps, const std::vector<Copy>& copies) {
    Store store = Store::open(file, Access::read_write);
    auto& connection = const_cast<Connection&>(store.connection());
    connection.execute("PRAGMA synchronous = OFF");
    for (const Copy& copy : copies) {
        const SweepSpec& spec = sweeps[copy.spec];
        DeviceInfo device = h200();
        if (spec.device != 0) device.name = "NVIDIA L4";
        device.uuid = spec.unit == 0 || spec.is_replay ? "" : fmt::format("GPU-{}", spec.unit);
        const Problem problem = make_problem(spec.problem == 0 ? "sum" : "max", Type::f32);
        const std::int64_t sweep =
            store.begin_sweep(device, problem, toolchain(), spec.is_replay ? "replay:h200" : "gpu", "redtune tune");
        const std::vector<Taken> taken(spec.taken.begin(),
                                       spec.taken.begin() + static_cast<std::ptrdiff_t>(copy.length));
        std::vector<std::int64_t> ids;
        for (const Taken& one : taken) {
            Measurement made = measurement(one.time_us * 0.1, static_cast<Stage>(one.stage));
            made.measured_at = fmt::format("2026-11-20T13:47:0{}Z", one.second);
            made.data = kinds_of_data[one.data];
            if (one.status != 0) {
                made = Measurement{};
                made.status = Status::wrong;
                made.stage = static_cast<Stage>(one.stage);
                made.reason = "expected 1, got 2";
                made.measured_at = "2026-11-20T13:47:00Z";
            }
            const Candidate tried = candidate(one.unroll, one.deterministic);
            ids.push_back(store.record(sweep, tried, fmt::format("hash{}", spec.code), one.n,
                                       one.warm ? Regime::warm : Regime::cold, make_plan(tried.rule, one.n), made));
        }
        set_winners(store, sweep, taken, ids);
        if (copy.is_finished) store.finish_sweep(sweep, "finished");
        connection.execute(fmt::format(
            "UPDATE sweep SET identity = 'sweep-{0}', started_at = {1}, finished_at = {1} + 9 + finished_at * 0 "
            "WHERE id = {2}",
            copy.spec, 1'700'000'000 + spec.started, sweep));
        if (!copy.has_samples) {
            connection.execute(fmt::format(
                "UPDATE measurement SET samples = '[]' WHERE sweep_id = {} AND id NOT IN (SELECT measurement_id "
                "FROM unit_winner)",
                sweep));
        }
    }
    search::update_winners(store);
}

void neither_order_nor_steps_nor_repetition_matter(Folder& folder) {
    const std::vector<SweepSpec> sweeps = *any_sweeps();
    std::vector<Path> files;
    for (const char* name : {"a.db", "b.db", "c.db"}) {
        files.push_back(folder.path(name));
        write(files.back(), sweeps, any_copies(sweeps));
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
    const std::vector<SweepSpec> sweeps = *any_sweeps();
    const std::vector<Copy> copies = any_copies(sweeps);
    const Path a = folder.path("a.db");
    write(a, sweeps, copies);
    RC_ASSERT(contents(folder.merged({a})) == contents(a));

    // Two databases with different sweeps have, together, what one database with all these sweeps has.
    std::vector<Copy> left;
    std::vector<Copy> right;
    for (const Copy& copy : copies) (*rc::gen::arbitrary<bool>() ? left : right).push_back(copy);
    const Path b = folder.path("b.db");
    const Path c = folder.path("c.db");
    write(b, sweeps, left);
    write(c, sweeps, right);
    const Store whole = Store::open(folder.merged({a}), Access::read_only);
    const Store together = Store::open(folder.merged({b, c}), Access::read_only);
    for (const char* table : {"sweep", "measurement", "configuration", "device", "device_unit"}) {
        const std::string count = fmt::format("SELECT count(*) FROM {}", table);
        RC_ASSERT(together.connection().value(count) == whole.connection().value(count));
    }
}

TEST(MergeProperties, NeitherOrderNorStepsNorRepetitionMatter) {
    check_in_few_cases(neither_order_nor_steps_nor_repetition_matter);
}

TEST(MergeProperties, NothingIsLostOrAdded) {
    check_in_few_cases(nothing_is_lost_or_added);
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
};

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
    const Path shipped = test::shipped_data() + std::string("/nvidia-h200.winners.db");
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
    const Path output = merged({old, shipped});
    EXPECT_EQ(read_file(old), before);
    const Store store = Store::open(output, Access::read_only);
    EXPECT_EQ(schema_version(store.connection()), embedded_migrations().back().version);
    const std::string units = "SELECT count(*) FROM unit_winner";
    EXPECT_EQ(store.connection().value(units), 1 + Store::open(shipped, Access::immutable).connection().value(units));
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
