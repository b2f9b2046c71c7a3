#include "db/inspection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "db/connection.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

class InspectionTest : public testing::Test {
  protected:
    InspectionTest() {
        add_winner(store_, h200(), problem_, 1 << 20, Regime::cold, candidate(4), 10);
        add_winner(store_, h200(), problem_, 1 << 24, Regime::warm, candidate(8), 20);
        const std::int64_t sweep = store_.begin_sweep(h200(), problem_, toolchain(), "gpu", "redtune tune");
        for (const Status status : {Status::wrong, Status::wrong, Status::compile_error}) {
            Measurement failure;
            failure.status = status;
            failure.reason = status == Status::wrong ? "expected 1, got 2" : "line 1";
            store_.record(sweep, candidate(), "hash", 1 << 20, Regime::cold, make_plan(candidate().rule, 1 << 20),
                          failure);
        }
    }

    static Field at(const Listing& listing, std::size_t row, const std::string& column) {
        const auto found = std::find(listing.columns.begin(), listing.columns.end(), column);
        EXPECT_NE(found, listing.columns.end()) << column;
        return listing.rows.at(row).at(static_cast<std::size_t>(found - listing.columns.begin()));
    }

    /// Runs SQL on the file directly, without the checks of class Store.
    void damage(const std::string& sql) {
        Connection connection = Connection::open(folder_ / "a.db", OpenMode::create);
        connection.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
        connection.execute(sql);
    }

    /// Returns the names of the checks that fail.
    std::vector<std::string> unsound() {
        std::vector<std::string> names;
        for (const Finding& finding : check(store_)) {
            if (!finding.sound) names.push_back(finding.check);
        }
        return names;
    }

    TemporaryFolder folder_;
    Store store_ = Store::open(folder_ / "a.db", Access::read_write);
    Problem problem_;
};

TEST_F(InspectionTest, FiltersWinners) {
    EXPECT_EQ(list_winners(store_, {}).rows.size(), 2U);
    EXPECT_EQ(list_winners(store_, {"sum", "f32", "NVIDIA H200", "warm"}).rows.size(), 1U);
    for (const WinnerFilter& none : {WinnerFilter{"max", {}, {}, {}}, WinnerFilter{{}, "i32", {}, {}},
                                     WinnerFilter{{}, {}, "NVIDIA L4", {}}, WinnerFilter{{}, {}, {}, "back_to_back"}}) {
        EXPECT_TRUE(list_winners(store_, none).rows.empty());
    }
}

TEST_F(InspectionTest, ShowsTheColumnsThatDistinguishProblems) {
    Problem rows = make_problem("sum", Type::f32, Type::f64);
    rows.row_length = 32;
    add_winner(store_, h200(), rows, 1 << 20, Regime::cold, candidate(4), 30);
    const Listing winners = list_winners(store_, {"sum", "f32", {}, "cold"});
    ASSERT_EQ(winners.rows.size(), 2U);
    EXPECT_EQ(at(winners, 0, "shape"), Field("rows:32"));
    EXPECT_EQ(at(winners, 0, "accumulator_type"), Field("f64"));
    EXPECT_EQ(at(winners, 0, "output_type"), Field("f64"));
    EXPECT_EQ(at(winners, 1, "shape"), Field("whole"));
    EXPECT_EQ(at(winners, 1, "accumulator_type"), Field("f32"));
    EXPECT_EQ(at(list_sweeps(store_, 1), 0, "shape"), Field("rows:32"));
    const Listing contents = list_contents(store_);
    ASSERT_EQ(contents.rows.size(), 3U) << "rows count apart";
    EXPECT_EQ(at(contents, 0, "shape"), Field("rows:32"));
    EXPECT_EQ(at(contents, 0, "measurements"), Field(std::int64_t{1}));
}

TEST_F(InspectionTest, TheLatestSweepComesFirst) {
    const Listing sweeps = list_sweeps(store_, 2);
    ASSERT_EQ(sweeps.rows.size(), 2U);
    EXPECT_EQ(at(sweeps, 0, "status"), Field("running"));
    EXPECT_EQ(at(sweeps, 0, "measurements"), Field(std::int64_t{3}));
    EXPECT_EQ(at(sweeps, 0, "failures"), Field(std::int64_t{3}));
    EXPECT_EQ(at(sweeps, 1, "status"), Field("finished"));
}

TEST_F(InspectionTest, GroupsFailuresByTheirReason) {
    const Listing failures = list_failures(store_);
    ASSERT_EQ(failures.rows.size(), 2U);
    EXPECT_EQ(at(failures, 0, "status"), Field("wrong"));
    EXPECT_EQ(at(failures, 0, "failures"), Field(std::int64_t{2}));
    EXPECT_EQ(at(failures, 1, "reason"), Field("line 1"));
}

TEST_F(InspectionTest, ShowsAMeasurementAndItsWins) {
    const Listing won = list_measurement(store_, 1);
    ASSERT_EQ(won.rows.size(), 1U);
    EXPECT_EQ(at(won, 0, "winner_for_determinism"), Field("any (median)"));
    EXPECT_EQ(at(won, 0, "dynamic_shared_bytes"), Field(std::int64_t{128}));
    EXPECT_EQ(at(list_measurement(store_, 3), 0, "winner_for_determinism"), Field());
    EXPECT_TRUE(list_measurement(store_, 1000).rows.empty());
}

TEST_F(InspectionTest, CountsTheContents) {
    const Listing contents = list_contents(store_);
    ASSERT_EQ(contents.rows.size(), 2U);
    EXPECT_EQ(at(contents, 0, "regime"), Field("cold"));
    EXPECT_EQ(at(contents, 0, "measurements"), Field(std::int64_t{4}));
    EXPECT_EQ(at(contents, 0, "failures"), Field(std::int64_t{3}));
    EXPECT_EQ(at(contents, 0, "sizes"), Field(std::int64_t{1}));
    EXPECT_EQ(at(contents, 0, "winners"), Field(std::int64_t{1}));
}

TEST_F(InspectionTest, FindsNothingWrongInASoundDatabase) {
    EXPECT_THAT(unsound(), testing::IsEmpty());
}

TEST_F(InspectionTest, FindsAWinnerThatFailed) {
    damage("UPDATE measurement SET status_id = 1 WHERE id = 1");
    EXPECT_THAT(unsound(), testing::ElementsAre("winners"));
}

TEST_F(InspectionTest, FindsAWinnerOfAnotherSize) {
    damage("UPDATE winner SET n = n + 1");
    EXPECT_THAT(unsound(), testing::ElementsAre("winners"));
}

TEST_F(InspectionTest, FindsAWinnerThatIsNotDeterministic) {
    damage("UPDATE winner SET determinism = 'run_to_run'; UPDATE configuration SET deterministic = 0");
    EXPECT_THAT(unsound(), testing::ElementsAre("winners"));
}

TEST_F(InspectionTest, FindsDanglingReferences) {
    damage("DELETE FROM measurement WHERE id = 1");
    EXPECT_THAT(unsound(), testing::UnorderedElementsAre("foreign_keys", "winners"));
}

TEST_F(InspectionTest, FindsTablesThatAreNotStrict) {
    damage("CREATE TABLE mine (x)");
    EXPECT_THAT(unsound(), testing::ElementsAre("strict_tables"));
}

TEST_F(InspectionTest, FindsValuesThatAreNotAllowed) {
    damage("UPDATE sweep SET status = 'perhaps'");
    EXPECT_THAT(unsound(), testing::ElementsAre("integrity"));
}

TEST(Inspection, KnowsTheToolchainOfAMeasurement) {
    const TemporaryFolder folder;
    Store store = Store::open(folder / "a.db", Access::read_write);
    add_winner(store, h200(), Problem(), 1 << 20, Regime::cold, candidate(), 2.0);
    EXPECT_EQ(toolchain_of(store, store.winners().at(0).measurement.id), toolchain());
    EXPECT_EQ(toolchain_of(store, 12345), ToolchainInfo());
}

}  // namespace
}  // namespace redtune::db
