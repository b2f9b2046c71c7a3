#include "tuner/cli/winner_kernels.h"

#include <gmock/gmock.h>

#include "tests/support/real_candidate.h"

namespace redtune::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A database in which tile_per_block won at several sizes, with another block size at each.
class WinnerKernelsTest : public testing::Test {
  protected:
    void win(std::uint64_t n, std::int64_t block, Regime regime = Regime::cold, const std::string& finish = "ticket",
             std::uint32_t cluster = 1) {
        Candidate winner =
            test::real_candidate(families_, "tile_per_block", {{"block", Value(block)}, {"finish", Value(finish)}});
        winner.rule.continuation = Continuation::none;
        winner.rule.cluster = cluster;
        db::Store store = db::Store::open(folder_ / "user.db", db::Access::read_write);
        db::add_winner(store, db::h200(), problem_, n, regime, winner, 10);
    }

    WinnerKernels found(const std::vector<std::uint64_t>& sizes, int compute_capability = 90) const {
        const Catalog catalog = Catalog::open({folder_ / "user.db", folder_ / "none"});
        WinnerKernels kernels;
        add_winner_kernels(catalog, families_, problem_, db::h200().name, sizes, compute_capability, kernels);
        return kernels;
    }

    /// Returns the block sizes of the kernels found.
    std::vector<std::string> blocks(const std::vector<std::uint64_t>& sizes, int compute_capability = 90) const {
        std::vector<std::string> sorted;
        for (const jit::KernelName& name : found(sizes, compute_capability).names) {
            const std::size_t begin = name.expression.rfind(">, ") + 3;
            sorted.push_back(name.expression.substr(begin, name.expression.find(',', begin) - begin));
        }
        return sorted;
    }

    Problem problem_;
    db::TemporaryFolder folder_;
    std::vector<Family> families_ = jit::SourceSet::load().families();
};

TEST_F(WinnerKernelsTest, WithoutSizesAllWinnersOfAllRegimesCount) {
    win(1 << 10, 32);
    win(1 << 20, 64);
    win(1 << 20, 128, Regime::warm);
    win(1 << 20, 256, Regime::back_to_back);
    EXPECT_THAT(blocks({}), testing::UnorderedElementsAre("32", "64", "128", "256"));
}

TEST_F(WinnerKernelsTest, WinnersOfTheSameKernelCountOnce) {
    win(1 << 10, 64);
    win(1 << 20, 64);
    EXPECT_THAT(blocks({}), ElementsAre("64"));
}

TEST_F(WinnerKernelsTest, OnlyTheSizesAskedForAndTheirNeighboursCount) {
    win(1 << 10, 32);
    win(1 << 12, 64);
    win(1 << 14, 128);
    win(1 << 16, 256);
    win(1 << 18, 512);
    win(1 << 20, 1024);
    EXPECT_THAT(blocks({(1 << 10) + 1}), testing::UnorderedElementsAre("32", "64", "128"));
    EXPECT_THAT(blocks({std::uint64_t{1} << 30}), testing::UnorderedElementsAre("512", "1024"));
    EXPECT_THAT(blocks({1 << 13, 1 << 15}), testing::UnorderedElementsAre("32", "64", "128", "256", "512"));
}

TEST_F(WinnerKernelsTest, AKernelThatCannotRunOnTheArchitectureIsLeftOut) {
    win(1 << 10, 32, Regime::cold, "ticket");
    win(1 << 12, 64, Regime::cold, "dependent");
    win(1 << 14, 128, Regime::cold, "cluster_publish", 2);
    EXPECT_EQ(blocks({}, 90).size(), 3U);
    EXPECT_EQ(blocks({}, 120).size(), 3U);
    EXPECT_THAT(blocks({}, 80), ElementsAre("32"));
    EXPECT_THAT(blocks({}, 70), IsEmpty()) << "the family needs 7.5";
}

TEST_F(WinnerKernelsTest, AWinnerOfAFamilyThatIsGoneIsReported) {
    win(1 << 10, 32);
    std::erase_if(families_, [](const Family& family) { return family.name == "tile_per_block"; });
    EXPECT_THAT(found({}).names, IsEmpty());
    EXPECT_THAT(found({}).unusable, ElementsAre(testing::HasSubstr("there is no family 'tile_per_block'")));
}

}  // namespace
}  // namespace redtune::cli
