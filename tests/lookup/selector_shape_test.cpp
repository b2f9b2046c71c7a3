// Tests what serves matrices of another shape than those that were tuned.
#include <gtest/gtest.h>

#include "db/connection.h"
#include "db/statement.h"
#include "redtune/catalog.h"
#include "redtune/selector.h"
#include "tests/lookup/selector_fixture.h"

namespace redtune {
namespace {

using WideColumns = SelectorTest;

TEST_F(WideColumns, WinnersOfFarWiderMatricesDoNotServeNarrowOnes) {
    const auto columns = [&](std::uint64_t count) {
        Problem problem = sum_;
        problem.columns = count;
        return problem;
    };
    Candidate strips;
    strips.configuration = {"columns_strip",
                            {{"block", std::int64_t{128}},
                             {"threads_per_row", std::int64_t{8}},
                             {"unroll", std::int64_t{1}},
                             {"vector_bytes", std::int64_t{4}},
                             {"path", std::string("read_only")},
                             {"blocks_per_sm", std::int64_t{0}}}};
    strips.rule.block = 128;
    strips.rule.tile = 128;
    strips.rule.grid = GridRule::columns;
    strips.rule.columns_per_block = 8;
    tune(h200_, columns(64), 64 << 10, strips);
    tune(h200_, columns(4096), 4096 << 4, strips);
    const Catalog catalog = open();
    // Returns the number of columns of the winner that serves; 0 for a rule of thumb.
    const auto tuned_columns = [&](std::uint64_t count) {
        const auto match = catalog.select(columns(count), h200_).find(count << 10);
        return match ? match->columns : count;
    };
    EXPECT_EQ(tuned_columns(8), 0U);
    EXPECT_EQ(tuned_columns(16), 64U);
    EXPECT_EQ(tuned_columns(256), 64U);
    EXPECT_EQ(tuned_columns(1 << 20), 4096U) << "both are wide";
}

/// Rows of 32 elements of f32, of which each of 8 threads loads 4 at once.
class NarrowRows : public SelectorTest {
  protected:
    NarrowRows() {
        Problem rows = sum_;
        rows.row_length = 32;
        Candidate narrow;
        narrow.configuration = {"rows_wide",
                                {{"block", std::int64_t{256}},
                                 {"threads_per_row", std::int64_t{8}},
                                 {"unroll", std::int64_t{1}},
                                 {"vector_bytes", std::int64_t{16}},
                                 {"rows_per_thread", std::int64_t{1}},
                                 {"path", std::string("read_only")}}};
        narrow.rule = {.block = 256, .tile = 1024, .grid = GridRule::rows, .rows_per_block = 32};
        tune(h200_, rows, 1 << 20, narrow);
    }
};

TEST_F(NarrowRows, RowsOfAnotherLengthHaveThreadsInProportion) {
    const Catalog catalog = open();
    const struct {
        std::uint64_t length;
        std::int64_t threads, block;
    } cases[] = {{8, 2, 256},
                 {16, 4, 256},
                 {30, 8, 256},
                 {34, 8, 256},
                 {64, 16, 256},
                 {65, 16, 256},
                 {100, 32, 256},
                 {128, 32, 256},
                 {256, 32, 256},  // 64 threads are no value of this
                                  // family, and 128 would be too many
                 {512, 128, 128},
                 {2000, 8, 256}};  // too far from 32 to scale
    for (const auto& each : cases) {
        Problem rows = sum_;
        rows.row_length = each.length;
        const auto match = catalog.select(rows, h200_).find((1 << 20) / each.length * each.length);
        ASSERT_TRUE(match) << each.length;
        const Configuration found{std::string(match->family), {match->parameters.begin(), match->parameters.end()}};
        EXPECT_EQ(std::get<std::int64_t>(*found.find("threads_per_row")), each.threads) << each.length;
        EXPECT_EQ(std::get<std::int64_t>(*found.find("block")), each.block) << each.length;
        EXPECT_NE(match->kind, MatchKind::default_rule) << each.length;
    }
}

TEST_F(NarrowRows, AValueThatTheFamilyDoesNotListIsNotTaken) {
    for (const Value& wrong :
         {Value(std::string("eight")), Value(0.5), Value(std::int64_t{-8}), Value(std::int64_t{0})}) {
        for (const char* name : {"threads_per_row", "block"}) {
            const db::Connection file = db::Connection::open(options_.user_database.value(), db::OpenMode::create);
            db::Statement update =
                file.prepare("UPDATE configuration SET parameters = json_set(parameters, '$.' || ?1, json(?2))");
            update.bind(name, std::holds_alternative<std::string>(wrong) ? "\"eight\"" : to_string(wrong));
            update.step();
            Problem rows = sum_;
            rows.row_length = 64;
            const Catalog catalog = open();
            EXPECT_EQ(catalog.select(rows, h200_).find(1 << 20)->kind, MatchKind::default_rule)
                << name << to_string(wrong);
        }
    }
}

TEST_F(NarrowRows, AnotherRowLengthGetsOnlyWhatTheTunerWouldConsider) {
    const Catalog catalog = open();
    Problem rows = sum_;
    rows.row_length = 64;
    const auto near = catalog.select(rows, h200_).find(1 << 20);
    ASSERT_TRUE(near);
    EXPECT_EQ(near->kind, MatchKind::between);
    EXPECT_EQ(near->row_length, 32U);
    rows.row_length = 1 << 16;
    EXPECT_EQ(catalog.select(rows, h200_).find(1 << 20)->kind, MatchKind::default_rule);
}

}  // namespace
}  // namespace redtune
