#include "db/winner_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "tests/support/database_fixture.h"
#include "tuner/core/built_in_families.h"

namespace redtune::db {
namespace {

/// The rows of a diff as maps from columns to fields.
using Rows = std::vector<std::map<std::string, Field>>;

Rows rows_of(const WinnerDiff& diff) {
    Rows rows;
    for (const auto& fields : diff.rows.rows) {
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < fields.size(); ++i) row[diff.rows.columns[i]] = fields[i];
    }
    return rows;
}

std::string text(const Field& field) {
    return std::get<std::string>(field);
}

class WinnerDiffTest : public testing::Test {
  protected:
    static constexpr std::uint64_t mi = 1 << 20;

    /// Stores a sweep whose finalists have the unroll factors and times, of which the first wins. Returns its id.
    static std::int64_t add(Store& store, std::uint64_t n, const std::vector<std::pair<int, double>>& finalists) {
        const std::int64_t sweep = store.begin_sweep(h200(), {}, toolchain(), "gpu", "redtune tune");
        std::int64_t first = 0;
        for (const auto& [unroll, us] : finalists) {
            const Candidate tried = candidate(unroll);
            const std::int64_t id =
                store.record(sweep, tried, "hash", n, Regime::cold, make_plan(tried.rule, n), measurement(us));
            if (first == 0) first = id;
        }
        store.set_winner(sweep, n, Regime::cold, Determinism::any, first, "time", 1.1);
        store.finish_sweep(sweep, "finished");
        return sweep;
    }
    WinnerDiff diff(std::optional<std::int64_t> sweep_a = {}, std::optional<std::int64_t> sweep_b = {}) const {
        return diff_winners({&a_, sweep_a}, {&b_, sweep_b}, built_in_families(), 0.05);
    }

    TemporaryFolder folder_;
    Store a_ = Store::open(folder_ / "a.db", Access::read_write);
    Store b_ = Store::open(folder_ / "b.db", Access::read_write);
};

TEST_F(WinnerDiffTest, SaysHowMuchTheOthersChoiceCosts) {
    add(a_, mi, {{2, 10}, {4, 10.4}});
    add(b_, mi, {{4, 9}, {2, 9.9}});
    const Rows rows = rows_of(diff());
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(text(rows[0].at("difference")), "winner");
    EXPECT_EQ(std::get<std::int64_t>(rows[0].at("n")), std::int64_t{mi});
    EXPECT_DOUBLE_EQ(std::get<double>(rows[0].at("time_ratio")), 0.9);
    EXPECT_DOUBLE_EQ(std::get<double>(rows[0].at("a_in_b_ratio")), 1.1);
    EXPECT_DOUBLE_EQ(std::get<double>(rows[0].at("b_in_a_ratio")), 1.04);
    EXPECT_THAT(text(rows[0].at("a_parameters")), testing::HasSubstr("\"unroll\":2"));
    EXPECT_THAT(text(rows[0].at("b_parameters")), testing::HasSubstr("\"unroll\":4"));
}

TEST_F(WinnerDiffTest, AWinnerThatWasNoFinalistThereHasNoRatio) {
    add(a_, mi, {{2, 10}});
    add(b_, mi, {{4, 9}});
    const Rows rows = rows_of(diff());
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(rows[0].at("a_in_b_ratio")));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(rows[0].at("b_in_a_ratio")));
}

TEST_F(WinnerDiffTest, TimesOfTheSameWinnerAgreeWithinTheTolerance) {
    add(a_, mi, {{2, 10}});
    add(b_, mi, {{2, 10.4}});
    EXPECT_EQ(diff().equal, 1U);
    EXPECT_TRUE(diff().rows.rows.empty());
    add(a_, 2 * mi, {{2, 20}});
    add(b_, 2 * mi, {{2, 18}});
    const Rows rows = rows_of(diff());
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(text(rows[0].at("difference")), "time");
    EXPECT_DOUBLE_EQ(std::get<double>(rows[0].at("time_ratio")), 0.9);
}

TEST_F(WinnerDiffTest, NamesWhatOnlyOneSideHas) {
    add(a_, mi, {{2, 10}});
    add(b_, 2 * mi, {{2, 20}});
    const Rows rows = rows_of(diff());
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(text(rows[0].at("difference")), "only in A");
    EXPECT_TRUE(std::holds_alternative<std::monostate>(rows[0].at("b_family")));
    EXPECT_EQ(text(rows[1].at("difference")), "only in B");
    EXPECT_TRUE(std::holds_alternative<std::monostate>(rows[1].at("a_time_us")));
}

TEST_F(WinnerDiffTest, SweepsOfOneDatabaseAreCompared) {
    const std::int64_t earlier = add(a_, mi, {{2, 10}, {4, 11}});
    const std::int64_t later = add(a_, mi, {{4, 9}, {2, 9.9}});
    const WinnerDiff found = diff_winners({&a_, earlier}, {&a_, later}, built_in_families(), 0.05);
    const Rows rows = rows_of(found);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_DOUBLE_EQ(std::get<double>(rows[0].at("a_in_b_ratio")), 1.1);
    EXPECT_DOUBLE_EQ(std::get<double>(rows[0].at("b_in_a_ratio")), 1.1);
}

TEST_F(WinnerDiffTest, ASweepIsComparedWithTheWinnersOfAllConfigurations) {
    const std::int64_t sweep = add(a_, mi, {{2, 10}});
    const std::int64_t measurement = a_.winners().at(0).measurement.id;
    a_.set_winner(sweep, mi, Regime::cold, Determinism::run_to_run, measurement, "time", 1.1);
    const WinnerDiff found = diff_winners({&a_, sweep}, {&a_, std::nullopt}, built_in_families(), 0);
    EXPECT_EQ(found.equal, 1U);
    EXPECT_TRUE(found.rows.rows.empty()) << "a sweep has no winner of determinism run_to_run";
}

TEST_F(WinnerDiffTest, ADatabaseAgreesWithItself) {
    add(a_, mi, {{2, 10}, {4, 11}});
    const WinnerDiff found = diff_winners({&a_, std::nullopt}, {&a_, std::nullopt}, built_in_families(), 0);
    EXPECT_EQ(found.equal, 1U);
    EXPECT_TRUE(found.rows.rows.empty());
}

}  // namespace
}  // namespace redtune::db
