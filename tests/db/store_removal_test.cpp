#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "db/connection.h"
#include "redtune/error.h"
#include "tests/support/database_contents.h"
#include "tests/support/random_databases.h"
#include "tests/support/store_write_fixture.h"
#include "tuner/search/choose_over_units.h"

namespace redtune::db {
namespace {

using Path = std::filesystem::path;

constexpr std::int64_t far_future = std::int64_t{1} << 40;

RemovedRows remove(Store& store, const RemovalRule& rule, bool commits = true) {
    return store.remove_measurements(rule, search::update_winner, commits);
}

class StoreRemovalTest : public StoreWriteTest {
  protected:
    /// Stores a finished sweep with a winner, another finalist and a screening, and returns the id of the screening.
    std::int64_t add_sweep(const DeviceInfo& device, const std::string& measured_at, const std::string& code_hash) {
        const std::int64_t sweep = store_.begin_sweep(device, problem_, toolchain(), "gpu", "redtune tune");
        const auto add = [&](int unroll, double us, Stage stage) {
            Measurement made = measurement(us, stage);
            made.measured_at = measured_at;
            const Candidate tried = candidate(unroll);
            return store_.record(sweep, tried, code_hash, mi16, Regime::cold, make_plan(tried.rule, mi16), made);
        };
        const std::int64_t screening = add(1, 12, Stage::screen);
        const std::int64_t best = add(2, 10, Stage::final);
        add(4, 11, Stage::final);
        store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, best, "time", 1.1);
        store_.finish_sweep(sweep, "finished");
        return screening;
    }
    static DeviceInfo unit(const std::string& uuid, const std::string& name = "NVIDIA H200") {
        DeviceInfo device = h200();
        device.name = name;
        device.uuid = uuid;
        return device;
    }
    std::vector<std::string> devices() const {
        std::vector<std::string> names;
        for (const DeviceInfo& device : store_.devices()) names.push_back(device.name);
        return names;
    }
};

TEST_F(StoreRemovalTest, KeepsWinnersAndTheirFinalists) {
    const std::int64_t screening = add_sweep(unit("GPU-1"), "2026-11-20T00:00:00Z", "hash");
    const RemovedRows removed = remove(store_, {.measured_before = far_future});
    EXPECT_EQ(removed.measurements, 1);
    EXPECT_EQ(removed.sweeps, 0);
    EXPECT_EQ(removed.winners, 0);
    EXPECT_EQ(count("measurement"), 2);
    EXPECT_EQ(count("measurement WHERE id = " + std::to_string(screening)), 0);
    EXPECT_EQ(count("configuration"), 2) << "that of the screening is gone";
    EXPECT_EQ(store_.winners().size(), 1U);
    expect_sound();
}

TEST_F(StoreRemovalTest, RemovesOneDeviceWhole) {
    add_sweep(unit("GPU-1"), "2026-11-20T00:00:00Z", "hash");
    add_sweep(unit("GPU-2", "NVIDIA L4"), "2026-11-20T00:00:00Z", "hash");
    const RemovedRows removed = remove(store_, {.device = "NVIDIA L4", .keeps_winners = false});
    EXPECT_EQ(removed.measurements, 3);
    EXPECT_EQ(removed.sweeps, 1);
    EXPECT_EQ(removed.winners, 1);
    EXPECT_EQ(devices(), std::vector<std::string>{"NVIDIA H200"});
    EXPECT_EQ(count("device_unit"), 1);
    EXPECT_EQ(count("measurement"), 3);
    expect_sound();
}

TEST_F(StoreRemovalTest, TheWinnerIsChosenAnewAmongTheUnitsThatAreLeft) {
    add_sweep(unit("GPU-1"), "2026-11-20T00:00:00Z", "hash");
    add_sweep(unit("GPU-2"), "2026-11-22T00:00:00Z", "hash");
    search::update_winners(store_);
    ASSERT_EQ(store_.winners().at(0).units, 2U);
    const RemovedRows removed =
        remove(store_, {.measured_before = 1795176000, .keeps_winners = false});  // 11-20, 12:00
    EXPECT_EQ(removed.measurements, 3);
    EXPECT_EQ(removed.winners, 0);
    ASSERT_EQ(store_.winners().size(), 1U);
    EXPECT_EQ(store_.winners()[0].units, 1U);
    EXPECT_EQ(store_.winners()[0].measurement.unit, "GPU-2");
    expect_sound();
}

TEST_F(StoreRemovalTest, TheBestFinalistThatIsLeftReplacesAWinner) {
    const std::int64_t sweep = store_.begin_sweep(unit("GPU-1"), problem_, toolchain(), "gpu", "redtune tune");
    const auto add = [&](int unroll, double us, const char* code_hash) {
        const Candidate tried = candidate(unroll);
        return store_.record(sweep, tried, code_hash, mi16, Regime::cold, make_plan(tried.rule, mi16), measurement(us));
    };
    const std::int64_t best = add(2, 10, "old");
    const std::int64_t second = add(4, 11, "new");
    add(8, 12, "new");
    store_.set_winner(sweep, mi16, Regime::cold, Determinism::any, best, "simplicity", 1.1);
    store_.finish_sweep(sweep, "finished");

    const RemovalRule other_code{.current_code = {{{candidate().configuration.family, "new"}}}, .keeps_winners = false};
    const RemovedRows removed = remove(store_, other_code);
    EXPECT_EQ(removed.measurements, 1);
    EXPECT_EQ(removed.winners, 0);
    const std::vector<StoredWinner> winners = store_.winners();
    ASSERT_EQ(winners.size(), 1U);
    EXPECT_EQ(winners[0].measurement.id, second);
    EXPECT_EQ(winners[0].decided_by, "time");
    EXPECT_EQ(winners[0].runner_up_ratio, std::nullopt);
    expect_sound();
}

TEST_F(StoreRemovalTest, OtherCodeIsThatOfOurFamiliesOnly) {
    add_sweep(unit("GPU-1"), "2026-11-20T00:00:00Z", "old");
    add_sweep(unit("GPU-2"), "2026-11-20T00:00:00Z", "new");
    RemovalRule rule;
    rule.keeps_winners = false;
    rule.current_code.emplace().emplace_back("a_family_with_another_name", "new");
    EXPECT_EQ(remove(store_, rule).measurements, 0) << "the family is not ours";
    rule.current_code.emplace().emplace_back("grid_stride_wide", "new");
    EXPECT_EQ(remove(store_, rule).measurements, 3);
    EXPECT_EQ(count("family WHERE code_hash = 'old'"), 0);
    EXPECT_EQ(count("family WHERE code_hash = 'new'"), 1);
    expect_sound();
}

TEST_F(StoreRemovalTest, ChecksOfLookUpsGoWithTheirMeasurements) {
    const std::int64_t screening = add_sweep(unit("GPU-1"), "2026-11-20T00:00:00Z", "hash");
    const std::int64_t sweep = store_.connection().value("SELECT max(id) FROM sweep");
    store_.add_size_check(sweep, {screening, screening, 12});
    EXPECT_EQ(remove(store_, {.measured_before = far_future}).measurements, 0) << "the check needs it";
    EXPECT_EQ(remove(store_, {.measured_before = far_future, .keeps_winners = false}).measurements, 3);
    EXPECT_EQ(count("size_check"), 0);
    expect_sound();
}

TEST_F(StoreRemovalTest, ASweepThatMayStillRunIsLeftAlone) {
    record(begin_sweep(), candidate(), measurement(1, Stage::screen));
    const RemovalRule all{.measured_before = far_future, .keeps_winners = false};
    EXPECT_EQ(remove(store_, all).measurements, 0);
    Connection::open(file_, OpenMode::create).execute("UPDATE sweep SET started_at = started_at - 90000");
    EXPECT_EQ(remove(store_, all).measurements, 1) << "it was killed";
}

TEST_F(StoreRemovalTest, WithoutCommitOnlyCounts) {
    add_sweep(unit("GPU-1"), "2026-11-20T00:00:00Z", "hash");
    const std::vector<std::string> before = all_rows(file_);
    EXPECT_EQ(remove(store_, {.measured_before = far_future, .keeps_winners = false}, false).measurements, 3);
    EXPECT_EQ(all_rows(file_), before);
    record(begin_sweep(), candidate(8), measurement(1));  // the store can still write
    expect_sound();
}

TEST_F(StoreRemovalTest, ShrinkGivesTheSpaceBack) {
    const std::int64_t sweep = begin_sweep();
    for (int i = 0; i < 2000; ++i) record(sweep, candidate(1), measurement(1 + i, Stage::screen));
    store_.finish_sweep(sweep, "finished");
    remove(store_, {.measured_before = far_future});
    const std::int64_t pages = store_.connection().value("PRAGMA page_count");
    store_.shrink();
    EXPECT_LT(store_.connection().value("PRAGMA page_count"), pages / 2);
    record(begin_sweep(), candidate(8), measurement(1));
    expect_sound();
}

/// Returns the rows of `winners` without ids.
std::vector<std::string> winners_in(const Store& store) {
    Statement rows = store.connection().prepare(
        "SELECT json_array(device, op, n, regime, determinism, family, parameters, time_us, decided_by, units, spread, "
        "data_ratios) FROM winners ORDER BY 1");
    std::vector<std::string> found;
    while (rows.step()) found.push_back(rows.text(0));
    return found;
}

TEST(RemovalProperties, WinnersStayOrNothingDoes) {
    check_in_few_cases([] {
        const TemporaryFolder folder;
        const Path file = folder / "a.db";
        const std::vector<SweepSpec> sweeps = any_sweeps();
        write_database(file, sweeps, any_copies(sweeps));
        Store store = Store::open(file, Access::read_write);
        const std::vector<std::string> winners = winners_in(store);
        remove(store, {.measured_before = far_future});
        RC_ASSERT(winners_in(store) == winners);
        search::update_winners(store);
        RC_ASSERT(winners_in(store) == winners);  // no finalist is missing that the choice needs
        for (const Finding& finding : check(store)) RC_ASSERT(finding.sound);

        remove(store, {.measured_before = far_future, .keeps_winners = false});
        // Sweeps of which a copy has no measurement are left, with what they refer to.
        for (const std::string table : {"measurement", "winner", "unit_winner", "configuration", "family"}) {
            RC_ASSERT(store.connection().value("SELECT count(*) FROM " + table) == 0);
        }
        for (const Finding& finding : check(store)) RC_ASSERT(finding.sound);
    });
}

}  // namespace
}  // namespace redtune::db
