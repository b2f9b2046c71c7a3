#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "db/connection.h"
#include "db/location.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::db {
namespace {

/// Returns the members of winners that tell a winner from another, with their times at other sizes, sorted.
auto contents(const std::vector<StoredWinner>& winners) {
    std::multiset<std::tuple<std::string, std::int64_t, Regime, Determinism, std::uint64_t, std::vector<double>>> found;
    for (const StoredWinner& winner : winners) {
        std::vector<double> times;
        for (const TimeAtSize& time : winner.finalist_times) {
            times.push_back(static_cast<double>(time.n));
            times.push_back(time.us);
        }
        found.emplace(winner.device.name, winner.measurement.id, winner.regime, winner.problem.determinism, winner.n,
                      times);
    }
    return found;
}

TEST(WinnerGroups, HoldAllShippedWinnersWithTheSameTimes) {
    for (const auto& file : winners_files(test::shipped_data())) {
        const Store store = Store::open(file, Access::immutable);
        std::vector<StoredWinner> grouped;
        for (const WinnerGroup& group : store.winner_groups()) {
            const auto winners = store.winners(group);
            EXPECT_FALSE(winners.empty());
            for (const StoredWinner& winner : winners) {
                EXPECT_EQ(winner.problem, group.problem);
                EXPECT_EQ(winner.regime, group.regime);
                grouped.push_back(winner);
            }
        }
        const auto all = store.winners();
        EXPECT_GT(all.size(), 20U);
        EXPECT_EQ(contents(grouped), contents(all));
    }
}

TEST(WinnerGroups, AreTheCombinationsThatHaveWinners) {
    const TemporaryFolder folder;
    Store store = Store::open(folder / "a.db", Access::read_write);
    EXPECT_TRUE(store.winner_groups().empty());
    Problem strict;
    strict.determinism = Determinism::run_to_run;
    DeviceInfo other = h200();
    other.name = "NVIDIA L4";
    add_winner(store, h200(), {}, 10, Regime::warm, candidate(), 1);
    add_winner(store, h200(), {}, 20, Regime::warm, candidate(), 1);
    add_winner(store, h200(), strict, 20, Regime::cold, candidate(), 1);
    add_winner(store, other, strict, 20, Regime::warm, candidate(), 1);
    add_winner(store, other, {}, 30, Regime::warm, candidate(), 1);
    store.begin_sweep(h200(), make_problem("max", Type::i32), toolchain(), "gpu", "redtune tune");
    std::multiset<std::tuple<std::string, Regime, Determinism, std::size_t>> found;
    for (const WinnerGroup& group : store.winner_groups()) {
        found.emplace(group.device.name, group.regime, group.problem.determinism, store.winners(group).size());
    }
    EXPECT_THAT(found,
                testing::UnorderedElementsAre(std::tuple("NVIDIA H200", Regime::warm, Determinism::any, 2U),
                                              std::tuple("NVIDIA H200", Regime::cold, Determinism::run_to_run, 1U),
                                              std::tuple("NVIDIA L4", Regime::warm, Determinism::run_to_run, 1U),
                                              std::tuple("NVIDIA L4", Regime::warm, Determinism::any, 1U)));
}

TEST(WinnerGroups, OfOneProblemKeepEveryDevice) {
    const TemporaryFolder folder;
    Store store = Store::open(folder / "a.db", Access::read_write);
    const Problem max = make_problem("max", Type::f32);
    DeviceInfo other = h200();
    other.name = "NVIDIA L4";
    DeviceInfo without = h200();
    without.name = "NVIDIA T4";
    add_winner(store, h200(), make_problem("product", Type::f32), 10, Regime::cold, candidate(), 1);
    add_winner(store, h200(), {}, 10, Regime::cold, candidate(), 1);
    add_winner(store, h200(), with_shape({}, parse_shape("rows:2")), 10, Regime::warm, candidate(), 1);
    add_winner(store, h200(), make_problem("sum", Type::i32), 10, Regime::cold, candidate(), 1);
    add_winner(store, other, max, 10, Regime::warm, candidate(), 1);
    store.begin_sweep(without, {}, toolchain(), "gpu", "redtune tune");
    std::multiset<std::tuple<std::string, std::string, std::string>> found;
    for (const WinnerGroup& group : store.winner_groups(Problem{})) {
        found.emplace(group.device.name, group.problem.op, shape_name(group.problem));
    }
    EXPECT_THAT(found, testing::UnorderedElementsAre(
                           std::tuple("NVIDIA H200", "product", "whole"),  // the device's first problem
                           std::tuple("NVIDIA H200", "sum", "whole"), std::tuple("NVIDIA H200", "sum", "rows:2"),
                           std::tuple("NVIDIA L4", "max", "whole")));
}

TEST(WinnerGroups, ARowThatCannotBeReadIsAnError) {
    const TemporaryFolder folder;
    {
        Store store = Store::open(folder / "a.db", Access::read_write);
        add_winner(store, h200(), {}, 10, Regime::warm, candidate(), 1);
    }
    Connection::open(folder / "a.db", OpenMode::create).execute("UPDATE problem SET input_type = 'f128'");
    const Store store = Store::open(folder / "a.db", Access::read_only);
    EXPECT_THAT([&] { store.winner_groups(); }, testing::ThrowsMessage<DatabaseError>(testing::HasSubstr("f128")));
}

}  // namespace
}  // namespace redtune::db
