#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "db/store.h"
#include "redtune/catalog.h"
#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tuner/core/well_known_devices.h"

namespace redtune {
namespace {

class ReloadTest : public testing::Test {
  protected:
    void tune(std::uint64_t n, double time_us) {
        db::Store store = db::Store::open(options_.user_database.value(), db::Access::read_write);
        db::add_winner(store, db::h200(), problem_, n, Regime::cold, db::candidate(), time_us);
    }

    db::TemporaryFolder folder_;
    CatalogOptions options_{folder_ / "user.db", folder_ / "none"};
    Problem problem_;
};

TEST_F(ReloadTest, ShowsNewResultsAndKeepsEarlierMatchesValid) {
    tune(1000, 5);
    Catalog catalog = Catalog::open(options_);
    const Selector earlier = catalog.select(problem_, db::h200());
    const Match match = catalog.find(problem_, 1000, "NVIDIA H200").value();
    tune(1000, 4);
    EXPECT_EQ(catalog.find(problem_, 1000, "NVIDIA H200")->expected_us, 5);
    catalog.reload();
    EXPECT_EQ(catalog.find(problem_, 1000, "NVIDIA H200")->expected_us, 4);
    EXPECT_EQ(catalog.select(problem_, db::h200()).find(1000)->expected_us, 4);
    EXPECT_EQ(earlier.find(1000)->expected_us, 5) << "a selector keeps the results that it was made from";
    EXPECT_EQ(match.family, "grid_stride_wide");
    EXPECT_EQ(match.tuned_device, "NVIDIA H200");
    EXPECT_EQ(match.rule->block, 256U);
}

TEST_F(ReloadTest, AFailedReloadKeepsTheResults) {
    tune(1000, 5);
    Catalog catalog = Catalog::open(options_);
    db::write_file(*options_.user_database, "junk");
    EXPECT_THROW(catalog.reload(), DatabaseError);
    EXPECT_EQ(catalog.find(problem_, 1000, "NVIDIA H200")->expected_us, 5);
}

TEST_F(ReloadTest, EqualSelectorsShareTheirContent) {
    tune(1000, 5);
    Catalog catalog = Catalog::open(options_);
    const auto rule = [&](const SelectOptions& options) {
        return catalog.select(problem_, db::h200(), options).find(1000)->rule;
    };
    const LaunchRule* first = rule({});
    EXPECT_EQ(rule({}), first);
    EXPECT_NE(rule({.allow_pdl = false}), first);
    catalog.reload();
    EXPECT_NE(rule({}), first);
}

TEST_F(ReloadTest, ManyThreadsLookUpWhileOneReloads) {
    constexpr int most_time = 4;
    tune(1000, 1);
    Catalog catalog = Catalog::open(options_);
    const DeviceInfo other = find_well_known_device("NVIDIA B200").value();
    const Selector selector = catalog.select(problem_, db::h200());
    std::atomic<bool> is_done = false;
    std::atomic<int> wrong = 0;
    const auto is_right = [](const std::optional<Match>& match) {
        return match && match->expected_us >= 1 && match->expected_us <= most_time &&
               match->family == "grid_stride_wide" && match->tuned_device == "NVIDIA H200" && match->rule->block == 256;
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 64; ++i) {
        threads.emplace_back([&, i] {
            const Match before = catalog.find(problem_, 1000, "NVIDIA H200").value();
            do {
                if (!is_right(catalog.find(problem_, 1000, "NVIDIA H200"))) ++wrong;
                const auto kept = selector.find(1000);
                if (!is_right(kept) || kept->expected_us != 1) ++wrong;
                if (i < 2 && !is_right(catalog.select(problem_, db::h200()).find(1000))) ++wrong;
                if (i == 2 && !catalog.select(problem_, other).find(1000)) ++wrong;
                std::this_thread::yield();
            } while (!is_done);
            if (!is_right(before)) ++wrong;
        });
    }
    for (int time = 2; time <= most_time; ++time) {
        tune(1000, time);
        catalog.reload();
    }
    is_done = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(catalog.find(problem_, 1000, "NVIDIA H200")->expected_us, most_time);
}

}  // namespace
}  // namespace redtune
