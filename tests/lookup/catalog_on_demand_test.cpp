#include <gtest/gtest.h>

#include "db/connection.h"
#include "db/store.h"
#include "redtune/catalog.h"
#include "tests/support/database_fixture.h"

namespace redtune {
namespace {

/// A catalog that reads the user's winners when they are first asked for.
class CatalogOnDemandTest : public testing::Test {
  protected:
    void tune(std::uint64_t n, double time_us) {
        db::Store store = db::Store::open(file_, db::Access::read_write);
        db::add_winner(store, db::h200(), problem_, n, Regime::cold, db::candidate(), time_us);
    }

    db::TemporaryFolder folder_;
    std::filesystem::path file_ = folder_ / "user.db";
    CatalogOptions options_{file_, folder_ / "none", true};
    Problem problem_;
};

TEST_F(CatalogOnDemandTest, FindsWhatACatalogThatReadsAtOnceFinds) {
    tune(1000, 5);
    tune(2000, 6);
    const Catalog at_once = Catalog::open({file_, folder_ / "none"});
    const Catalog on_demand = Catalog::open(options_);
    EXPECT_EQ(on_demand.devices(), at_once.devices());
    EXPECT_EQ(on_demand.tuned_sizes(problem_, "NVIDIA H200"), at_once.tuned_sizes(problem_, "NVIDIA H200"));
    for (const std::uint64_t n : {10, 1000, 1500, 2000, 5000}) {
        const auto expected = at_once.find(problem_, n, "NVIDIA H200");
        const auto found = on_demand.find(problem_, n, "NVIDIA H200");
        ASSERT_EQ(found.has_value(), expected.has_value()) << n;
        if (!found) continue;
        EXPECT_EQ(found->kind, expected->kind) << n;
        EXPECT_EQ(found->expected_us, expected->expected_us) << n;
    }
}

TEST_F(CatalogOnDemandTest, OfOneProblemFindsTheSame) {
    tune(1000, 5);
    {
        db::Store store = db::Store::open(file_, db::Access::read_write);
        DeviceInfo other = db::h200();
        other.name = "NVIDIA L4";
        db::add_winner(store, db::h200(), make_problem("max", Type::i32), 10, Regime::cold, db::candidate(), 1);
        db::add_winner(store, other, make_problem("max", Type::i32), 10, Regime::cold, db::candidate(), 1);
    }
    const Catalog whole = Catalog::open(options_);
    options_.only_problem = problem_;
    const Catalog part = Catalog::open(options_);
    EXPECT_EQ(part.devices(), whole.devices());
    EXPECT_EQ(part.find(problem_, 1500, "NVIDIA H200")->expected_us,
              whole.find(problem_, 1500, "NVIDIA H200")->expected_us);
    EXPECT_TRUE(whole.find(make_problem("max", Type::i32), 10, "NVIDIA H200"));
    EXPECT_FALSE(part.find(make_problem("max", Type::i32), 10, "NVIDIA H200")) << "left out";
}

TEST_F(CatalogOnDemandTest, SeesTheDatabaseAsItIsAtTheFirstLookUp) {
    tune(1000, 5);
    const Catalog catalog = Catalog::open(options_);
    tune(1000, 4);
    EXPECT_EQ(catalog.find(problem_, 1000, "NVIDIA H200")->expected_us, 4);
    tune(1000, 3);
    EXPECT_EQ(catalog.find(problem_, 1000, "NVIDIA H200")->expected_us, 4);
}

TEST_F(CatalogOnDemandTest, FindsNothingIfTheWinnersWereRemovedMeanwhile) {
    tune(1000, 5);
    const Catalog catalog = Catalog::open(options_);
    db::Connection::open(file_, db::OpenMode::create).execute("DELETE FROM winner");
    EXPECT_FALSE(catalog.find(problem_, 1000, "NVIDIA H200"));
    EXPECT_EQ(catalog.select(problem_, db::h200()).find(1000)->kind, MatchKind::default_rule);
}

}  // namespace
}  // namespace redtune
