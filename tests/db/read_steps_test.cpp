// The steps that SQLite takes for a read. They must not grow with what the database has of other cells.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "db/store.h"
#include "tests/support/database_fixture.h"

namespace redtune::db {
namespace {

/// Counts the instructions of SQLite's virtual machine in all connections that are opened while it lives.
class StepCounter {
  public:
    StepCounter() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(count_steps_of)); }
    ~StepCounter() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(count_steps_of)); }
    StepCounter(const StepCounter&) = delete;
    StepCounter& operator=(const StepCounter&) = delete;

    static std::int64_t steps_of(const std::function<void()>& work) {
        steps = 0;
        work();
        return steps;
    }

  private:
    static int count_steps_of(sqlite3* database, char**, const sqlite3_api_routines*) {
        const auto count = [](void*) {
            ++steps;
            return 0;
        };
        sqlite3_progress_handler(database, 1, count, nullptr);
        return SQLITE_OK;
    }

    static inline std::int64_t steps = 0;
};

class ReadStepsTest : public testing::Test {
  protected:
    void add_cells(std::uint64_t from, std::uint64_t to) {
        const std::int64_t sweep = store_.begin_sweep(h200(), problem_, toolchain(), "gpu", "");
        for (std::uint64_t n = from; n < to; ++n) {
            const std::int64_t id = store_.record(sweep, candidate(), "hash", n, Regime::cold,
                                                  make_plan(candidate().rule, n), measurement(1));
            store_.set_winner(sweep, n, Regime::cold, Determinism::any, id, "time", std::nullopt);
        }
    }

    /// Returns the steps of a read of the cell of `size` when the database has few cells, and when it has many.
    std::pair<std::int64_t, std::int64_t> few_and_many(const std::function<void()>& read) {
        add_cells(size, size + 2);
        read();  // prepares the statement
        const std::int64_t few = StepCounter::steps_of(read);
        add_cells(size + 2, size + 200);
        return {few, StepCounter::steps_of(read)};
    }

    static constexpr std::uint64_t size = 1024;
    StepCounter counter_;
    TemporaryFolder folder_;
    Store store_ = Store::open(folder_ / "a.db", Access::read_write);
    Problem problem_;
};

TEST_F(ReadStepsTest, MeasurementsOfACell) {
    const auto [few, many] =
        few_and_many([&] { EXPECT_EQ(store_.measurements(h200(), problem_, size, Regime::cold).size(), 1U); });
    EXPECT_GT(few, 0);
    EXPECT_LT(many, 2 * few);
}

TEST_F(ReadStepsTest, MeasurementsOfACellThatAreNearTheBest) {
    const auto [few, many] = few_and_many(
        [&] { EXPECT_EQ(store_.measurements(h200(), problem_, size, Regime::cold, {.within = 1.1}).size(), 1U); });
    EXPECT_LT(many, 2 * few);
}

TEST_F(ReadStepsTest, TheWinnerOfACell) {
    const auto [few, many] = few_and_many(
        [&] { EXPECT_TRUE(store_.winner(h200(), problem_, size, Regime::cold, Determinism::any).has_value()); });
    EXPECT_LT(many, 2 * few);
}

TEST_F(ReadStepsTest, TheWinnerOfACellOnAUnit) {
    const auto [few, many] = few_and_many(
        [&] { EXPECT_TRUE(store_.unit_winner(h200(), problem_, size, Regime::cold, Determinism::any).has_value()); });
    EXPECT_LT(many, 2 * few);
}

TEST_F(ReadStepsTest, TheFinalistsOfACell) {
    const auto [few, many] = few_and_many([&] {
        const auto stored = store_.measurements(h200(), problem_, size, Regime::cold);
        const auto key = store_.winner_key(stored.front().id, Determinism::any);
        EXPECT_EQ(store_.finalists_of_units(*key).size(), 1U);
    });
    EXPECT_LT(many, 2 * few);
}

}  // namespace
}  // namespace redtune::db
