#include "tuner/search/suggestions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/connection.h"
#include "tests/search/sweep_fixture.h"
#include "tuner/search/planner.h"

namespace redtune::search {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A database in which the best block doubles from size to size.
class SuggestionsTest : public SweepTest {
  protected:
    SuggestionsTest() {
        executor_.time_us = [](const Trial& trial, std::uint64_t n, Regime) {
            const double best = 32.0 * static_cast<double>(n) / (1 << 18);
            return 2 + std::abs(std::log2(trial.rule.block / best)) + 0.1 / trial.rule.blocks_per_sm;
        };
        SweepRequest request = request_;
        request.sizes = {1 << 18, 1 << 19, 1 << 20, 1 << 21};
        Sweep(executor_, store_, families_, request).run({}, stop_);
    }

    Catalog open_catalog() const {
        return Catalog::open(
            {.user_database = folder_ / "test.db", .system_data = folder_.path(), .read_user_winners_on_demand = true});
    }
    /// Returns the configurations that are suggested for a size, of those whose block is not `without`.
    std::vector<std::string> suggested(const Catalog* catalog, std::uint64_t n, std::uint32_t without = 0) const {
        SweepRequest request = request_;
        request.sizes = {n};
        const History history(store_, executor_, families_, request);
        Cell cell = plan_sweep(executor_, families_, request, history).cells.front();
        std::erase_if(cell.trials, [&](const Trial& trial) { return trial.rule.block == without; });
        std::vector<std::string> names;
        for (const std::size_t i : Suggestions(catalog, request.problem, executor_.device()).of(cell, families_)) {
            names.push_back(to_string(cell.trials[i].configuration));
        }
        return names;
    }

    SweepRequest request_{make_problem("sum", Type::f32), {}, {Regime::cold}, true, "test"};
};

TEST_F(SuggestionsTest, AreWhatLookUpsPickAtTheSizeAndNearItEachOnce) {
    const Catalog catalog = open_catalog();
    EXPECT_THAT(suggested(&catalog, 1 << 19),
                ElementsAre("fake(block=64, blocks_per_sm=2)", "fake(block=128, blocks_per_sm=2)",
                            "fake(block=32, blocks_per_sm=2)", "fake(block=256, blocks_per_sm=2)"))
        << "a quarter of the size is below the tuned ones, so its winner is that of half the size";
    EXPECT_THAT(suggested(&catalog, 1 << 23), ElementsAre("fake(block=256, blocks_per_sm=2)"));
}

TEST_F(SuggestionsTest, AreTrialsOfTheCell) {
    const Catalog catalog = open_catalog();
    EXPECT_THAT(suggested(&catalog, 1 << 18, 32),
                ElementsAre("fake(block=64, blocks_per_sm=2)", "fake(block=128, blocks_per_sm=2)"));
}

TEST_F(SuggestionsTest, AreNoneIfNothingIsKnownOrCanBeRead) {
    EXPECT_THAT(suggested(nullptr, 1 << 19), IsEmpty());
    const Catalog catalog = open_catalog();
    db::Connection::open(store_.file(), db::OpenMode::create).execute("ALTER TABLE winner RENAME TO lost");
    EXPECT_THAT(suggested(&catalog, 1 << 19), IsEmpty());
}

}  // namespace
}  // namespace redtune::search
