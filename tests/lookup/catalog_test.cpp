#include "redtune/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "db/connection.h"
#include "db/store.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"

namespace redtune {
namespace {

using db::Access;
using db::add_winner;
using db::candidate;
using db::h200;
using db::Store;

class CatalogTest : public testing::Test {
  protected:
    CatalogTest() { std::filesystem::create_directory(options_.system_data.value()); }

    static Store writer(const std::filesystem::path& file) { return Store::open(file, Access::read_write); }

    db::TemporaryFolder folder_;
    std::filesystem::path shipped_ = folder_ / "shipped/h200.winners.db";
    CatalogOptions options_{folder_ / "user.db", folder_ / "shipped"};
    Problem problem_;
};

TEST_F(CatalogTest, IsEmptyIfThereAreNoFiles) {
    const Catalog catalog = Catalog::open(options_);
    EXPECT_TRUE(catalog.devices().empty());
    EXPECT_FALSE(catalog.find(problem_, 1 << 20, "NVIDIA H200"));
    EXPECT_FALSE(std::filesystem::exists(*options_.user_database));
}

TEST_F(CatalogTest, DescribesTheWinner) {
    {
        Store store = writer(*options_.user_database);
        add_winner(store, h200(), problem_, 1 << 20, Regime::cold, candidate(4, false), 10);
    }
    const Catalog catalog = Catalog::open(options_);
    const auto match = catalog.find(problem_, 1 << 20, "NVIDIA H200");
    ASSERT_TRUE(match);
    EXPECT_EQ(match->kind, MatchKind::exact);
    EXPECT_EQ(match->device, "NVIDIA H200");
    EXPECT_EQ(match->family, "grid_stride_wide");
    EXPECT_EQ(std::vector<Parameter>(match->parameters.begin(), match->parameters.end()),
              candidate(4, false).configuration.parameters);
    EXPECT_EQ(match->plan.count, 1U);
    EXPECT_EQ(match->plan.steps[0].grid, 66U);
    EXPECT_FALSE(match->deterministic);
    EXPECT_EQ(match->tuned_n, 1U << 20);
    EXPECT_EQ(match->expected_us, 10);
    EXPECT_NEAR(match->gb_per_s, 4.0 * (1 << 20) / 10 / 1e3, 1e-9);
    EXPECT_EQ(match->measured_at, "2026-11-20T13:47:05Z");
    EXPECT_EQ(catalog.devices(), std::vector<std::string>{"NVIDIA H200"});
    EXPECT_EQ(catalog.tuned_sizes(problem_, "NVIDIA H200"), std::vector<std::uint64_t>{1 << 20});
    EXPECT_TRUE(catalog.tuned_sizes(problem_, "NVIDIA H200", Regime::warm).empty());
}

TEST_F(CatalogTest, AWinnerBelongsToItsRegime) {
    Candidate pdl = candidate();
    pdl.rule.pdl = true;
    {
        Store store = writer(*options_.user_database);
        add_winner(store, h200(), problem_, 1 << 20, Regime::cold, candidate(), 10);
        add_winner(store, h200(), problem_, 1 << 20, Regime::back_to_back, pdl, 8);
    }
    const Catalog catalog = Catalog::open(options_);
    const auto cold = catalog.find(problem_, 1 << 20, "NVIDIA H200");
    ASSERT_TRUE(cold);
    EXPECT_EQ(cold->expected_us, 10);
    EXPECT_FALSE(cold->plan.steps[0].pdl);
    const auto stream = catalog.find(problem_, 1 << 20, "NVIDIA H200", Regime::back_to_back);
    ASSERT_TRUE(stream);
    EXPECT_EQ(stream->expected_us, 8);
    EXPECT_TRUE(stream->plan.steps[0].pdl);
    EXPECT_FALSE(catalog.find(problem_, 1 << 20, "NVIDIA H200", Regime::warm));
}

/// Returns a candidate of rows_wide with 8 rows per block.
Candidate rows_candidate() {
    Candidate made = candidate();
    made.configuration.family = "rows_wide";
    made.rule.grid = GridRule::rows;
    made.rule.rows_per_block = 8;
    return made;
}

TEST_F(CatalogTest, OnlyATunedRowLengthIsAnExactMatch) {
    Problem rows = make_problem("dot", Type::f16);
    rows.row_length = 32;
    {
        Store store = writer(*options_.user_database);
        add_winner(store, h200(), rows, 1 << 20, Regime::cold, rows_candidate(), 10);
        add_winner(store, h200(), rows, 1 << 24, Regime::cold, rows_candidate(), 90);
    }
    const Catalog catalog = Catalog::open(options_);
    const auto exact = catalog.find(rows, 1 << 20, "NVIDIA H200");
    ASSERT_TRUE(exact);
    EXPECT_EQ(exact->kind, MatchKind::exact);
    EXPECT_EQ(exact->row_length, 32U);
    EXPECT_EQ(exact->plan.steps[0].grid, (1U << 20) / 32 / 8);
    EXPECT_NEAR(exact->gb_per_s, 4.0 * (1 << 20) / 10 / 1e3, 1e-9) << "both arrays count";
    EXPECT_EQ(catalog.tuned_sizes(rows, "NVIDIA H200"), (std::vector<std::uint64_t>{1 << 20, 1 << 24}));

    Problem longer = rows;
    longer.row_length = 64;
    const auto near = catalog.find(longer, 1 << 20, "NVIDIA H200");
    ASSERT_TRUE(near);
    EXPECT_EQ(near->kind, MatchKind::between);
    EXPECT_EQ(near->row_length, 32U);
    EXPECT_EQ(near->tuned_n, 1U << 20);
    EXPECT_EQ(near->plan.steps[0].grid, (1U << 20) / 64 / 8) << "planned for the rows there are";
    EXPECT_EQ(near->plan.elements_per_result, 64U);
    EXPECT_EQ(catalog.find(longer, 1 << 22, "NVIDIA H200")->kind, MatchKind::between);
    EXPECT_EQ(catalog.find(longer, 1 << 26, "NVIDIA H200")->kind, MatchKind::beyond);
    EXPECT_TRUE(catalog.tuned_sizes(longer, "NVIDIA H200").empty()) << "none was tuned";
    EXPECT_EQ(catalog.problems("NVIDIA H200"), std::vector<Problem>{rows});
}

TEST_F(CatalogTest, OnlyATunedNumberOfColumnsIsAnExactMatch) {
    Problem columns = make_problem("sum", Type::f32);
    columns.columns = 64;
    Candidate strips = candidate();
    strips.configuration.family = "columns_strip";
    strips.rule.grid = GridRule::columns;
    strips.rule.columns_per_block = 32;
    {
        Store store = writer(*options_.user_database);
        add_winner(store, h200(), columns, 1 << 20, Regime::cold, strips, 10);
    }
    const Catalog catalog = Catalog::open(options_);
    const auto exact = catalog.find(columns, 1 << 20, "NVIDIA H200");
    ASSERT_TRUE(exact);
    EXPECT_EQ(exact->kind, MatchKind::exact);
    EXPECT_EQ(exact->columns, 64U);
    EXPECT_EQ(exact->row_length, 0U);
    EXPECT_EQ(exact->plan.steps[0].grid, 2U);
    EXPECT_EQ(exact->plan.steps[0].columns, 64U);
    EXPECT_EQ(exact->plan.elements_per_result, (1U << 20) / 64);

    Problem more = columns;
    more.columns = 128;
    const auto near = catalog.find(more, 2 << 20, "NVIDIA H200");
    ASSERT_TRUE(near);
    EXPECT_EQ(near->kind, MatchKind::between);
    EXPECT_EQ(near->columns, 64U);
    EXPECT_EQ(near->plan.steps[0].grid, 4U) << "planned for the columns there are";
    Problem rows = make_problem("sum", Type::f32);
    rows.row_length = 64;
    EXPECT_FALSE(catalog.find(rows, 1 << 20, "NVIDIA H200")) << "rows are not columns";
    EXPECT_EQ(catalog.problems("NVIDIA H200"), std::vector<Problem>{columns}) << "the store keeps the shape";
}

TEST_F(CatalogTest, MoreColumnsThanWereTunedTakeTheWinnerOfAsManyRows) {
    Problem columns = make_problem("sum", Type::f32);
    columns.columns = 64;
    Candidate few_rows = candidate(1);
    few_rows.rule.grid = GridRule::columns;
    Candidate many_rows = candidate(4);
    many_rows.rule.grid = GridRule::columns;
    {
        Store store = writer(*options_.user_database);
        add_winner(store, h200(), columns, 64 * 4, Regime::cold, few_rows, 2);
        add_winner(store, h200(), columns, 64 << 10, Regime::cold, many_rows, 10);
    }
    const Catalog catalog = Catalog::open(options_);
    Problem wide = columns;
    wide.columns = 64 << 8;
    const auto match = catalog.find(wide, wide.columns * 4, "NVIDIA H200");
    ASSERT_TRUE(match);
    EXPECT_EQ(match->kind, MatchKind::between);
    EXPECT_EQ(match->tuned_n, 64U * 4);
    EXPECT_EQ(match->expected_us, 10) << "the time of as many elements";
    Problem narrow = columns;
    narrow.columns = 1;
    EXPECT_EQ(catalog.find(narrow, 64 << 10, "NVIDIA H200")->tuned_n, 64U << 10) << "fewer columns: as many elements";
}

TEST_F(CatalogTest, DestructiveWinnersAreForDestructiveProblemsOnly) {
    Problem destructive = problem_;
    destructive.destructive = true;
    {
        Store store = writer(*options_.user_database);
        add_winner(store, h200(), destructive, 1 << 20, Regime::cold, candidate(1), 1);
        add_winner(store, h200(), destructive, 1 << 24, Regime::cold, candidate(1), 1);
    }
    EXPECT_FALSE(Catalog::open(options_).find(problem_, 1 << 20, "NVIDIA H200"));
    {
        Store store = writer(*options_.user_database);
        add_winner(store, h200(), problem_, 1 << 20, Regime::cold, candidate(4), 10);
    }
    const Catalog catalog = Catalog::open(options_);
    EXPECT_EQ(catalog.find(problem_, 1 << 20, "NVIDIA H200")->expected_us, 10);
    EXPECT_EQ(catalog.find(destructive, 1 << 20, "NVIDIA H200")->expected_us, 1);
    const auto above = catalog.find(problem_, 1 << 24, "NVIDIA H200");
    ASSERT_TRUE(above);
    EXPECT_EQ(above->tuned_n, 1U << 20) << "and not the nearer, destructive size";
    EXPECT_THAT(catalog.problems("NVIDIA H200"), testing::UnorderedElementsAre(problem_, destructive));
    EXPECT_TRUE(catalog.problems("NVIDIA L4").empty());
}

TEST_F(CatalogTest, DestructiveProblemsFallBackToOtherWinners) {
    {
        Store store = writer(*options_.user_database);
        add_winner(store, h200(), problem_, 1 << 20, Regime::cold, candidate(4), 10);
    }
    Problem destructive = problem_;
    destructive.destructive = true;
    const auto match = Catalog::open(options_).find(destructive, 1 << 20, "NVIDIA H200");
    ASSERT_TRUE(match);
    EXPECT_EQ(match->kind, MatchKind::exact);
    EXPECT_EQ(match->expected_us, 10);
}

TEST_F(CatalogTest, UserResultsTakePrecedenceOverShippedOnes) {
    {
        Store shipped = writer(shipped_);
        add_winner(shipped, h200(), problem_, 1000, Regime::cold, candidate(1), 5);
        add_winner(shipped, h200(), problem_, 2000, Regime::cold, candidate(1), 6);
        Store user = writer(*options_.user_database);
        add_winner(user, h200(), problem_, 1000, Regime::cold, candidate(8),
                   7);  // slower, but the user's winner has precedence
    }
    const Catalog catalog = Catalog::open(options_);
    EXPECT_EQ(catalog.find(problem_, 1000, "NVIDIA H200")->expected_us, 7);
    EXPECT_EQ(catalog.find(problem_, 2000, "NVIDIA H200")->expected_us, 6);
}

TEST_F(CatalogTest, ReadingDoesNotChangeShippedFiles) {
    {
        Store shipped = writer(shipped_);
        add_winner(shipped, h200(), problem_, 1000, Regime::cold, candidate(1), 5);
    }
    const std::string before = db::read_file(shipped_);
    EXPECT_TRUE(Catalog::open(options_).find(problem_, 1000, "NVIDIA H200"));
    EXPECT_EQ(db::read_file(shipped_), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(shipped_.parent_path()), {}), 1);
}

TEST_F(CatalogTest, TakesTheDefaultsFromTheEnvironment) {
    {
        Store user = writer(*options_.user_database);
        add_winner(user, h200(), problem_, 1000, Regime::cold, candidate(1), 5);
    }
    const db::ScopedVariable file("REDTUNE_DB", options_.user_database->c_str());
    const db::ScopedVariable data("REDTUNE_SYSTEM_DATA", options_.system_data->c_str());
    EXPECT_TRUE(Catalog::open().find(problem_, 1000, "NVIDIA H200"));
}

TEST_F(CatalogTest, RejectsAFileThatIsNotADatabase) {
    db::write_file(*options_.user_database, "junk");
    EXPECT_THROW(Catalog::open(options_), DatabaseError);
    std::filesystem::remove(*options_.user_database);
    db::write_file(shipped_, "junk");
    EXPECT_THROW(Catalog::open(options_), DatabaseError);
}

TEST_F(CatalogTest, SeesTheFilesAsTheyWereWhenItWasOpened) {
    Store user = writer(*options_.user_database);
    add_winner(user, h200(), problem_, 1000, Regime::cold, candidate(1), 5);
    const Catalog catalog = Catalog::open(options_);
    add_winner(user, h200(), problem_, 1000, Regime::cold, candidate(1), 4);
    EXPECT_EQ(catalog.find(problem_, 1000, "NVIDIA H200")->expected_us, 5);
    EXPECT_EQ(Catalog::open(options_).find(problem_, 1000, "NVIDIA H200")->expected_us, 4);
}

TEST_F(CatalogTest, ReadsTheShippedWinnersOfAProblemWhenTheyAreAskedFor) {
    const Problem other = make_problem("max", Type::i32);
    {
        Store shipped = writer(shipped_);
        add_winner(shipped, h200(), problem_, 1000, Regime::cold, candidate(1), 5);
        add_winner(shipped, h200(), other, 1000, Regime::cold, candidate(8), 6);
    }
    db::Connection::open(shipped_, db::OpenMode::create)
        .execute("UPDATE configuration SET parameters = '{\"block\":[]}' WHERE parameters LIKE '%\"unroll\":8%'");
    const Catalog catalog = Catalog::open(options_);
    EXPECT_EQ(catalog.problems("NVIDIA H200"), (std::vector<Problem>{other, problem_}));
    EXPECT_NO_THROW(catalog.prepare(problem_, "NVIDIA H200"));
    EXPECT_TRUE(catalog.find(problem_, 1000, "NVIDIA H200"));
    EXPECT_FALSE(catalog.find(other, 1000, "NVIDIA H200")) << "its row is damaged";
    EXPECT_THROW(catalog.prepare(other, "NVIDIA H200"), DatabaseError);
    EXPECT_THROW(catalog.select(other, h200()), DatabaseError);
    EXPECT_THROW(catalog.tuned_sizes(other, "NVIDIA H200"), DatabaseError);
    EXPECT_NO_THROW(catalog.prepare(other, "no such device"));
}

TEST_F(CatalogTest, KeepsReadingAShippedFileThatWasReplaced) {
    {
        Store shipped = writer(shipped_);
        add_winner(shipped, h200(), problem_, 1000, Regime::cold, candidate(1), 5);
    }
    const Catalog catalog = Catalog::open(options_);
    db::write_file(folder_ / "new", "junk");
    std::filesystem::rename(folder_ / "new", shipped_);
    EXPECT_EQ(catalog.find(problem_, 1000, "NVIDIA H200")->expected_us, 5);
}

TEST_F(CatalogTest, ManyThreadsReadTheSameProblemFirst) {
    {
        Store shipped = writer(shipped_);
        for (std::uint64_t n = 1; n <= 64; n *= 2) {
            add_winner(shipped, h200(), problem_, n, Regime::cold, candidate(4), static_cast<double>(n));
            add_winner(shipped, h200(), problem_, n, Regime::warm, candidate(4), static_cast<double>(n) / 2);
        }
    }
    const Catalog catalog = Catalog::open(options_);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            const Regime regime = i % 2 == 0 ? Regime::cold : Regime::warm;
            if (i < 2) catalog.prepare(problem_, "NVIDIA H200", regime);
            const auto match = catalog.find(problem_, 64, "NVIDIA H200", regime);
            if (!match || match->expected_us != (i % 2 == 0 ? 64 : 32)) ++wrong;
            if (!catalog.select(problem_, h200(), {.regime = regime}).find(64)) ++wrong;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(CatalogTest, AnswersManyThreadsAtOnce) {
    {
        Store user = writer(*options_.user_database);
        for (std::uint64_t n = 1; n <= 64; n *= 2) {
            add_winner(user, h200(), problem_, n, Regime::cold, candidate(4), static_cast<double>(n));
        }
    }
    const Catalog catalog = Catalog::open(options_);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int round = 0; round < 1000; ++round) {
                const std::uint64_t n = std::uint64_t{1} << (round % 7);
                const auto match = catalog.find(problem_, n, "NVIDIA H200");
                if (!match || match->expected_us != static_cast<double>(n)) ++wrong;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace redtune
