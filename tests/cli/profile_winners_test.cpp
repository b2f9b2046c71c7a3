#include "tuner/cli/profile_winners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/database_fixture.h"
#include "tests/support/fake_ncu.h"
#include "tuner/cli/ncu.h"

namespace redtune::cli {
namespace {

using testing::HasSubstr;

class ProfileWinners : public testing::Test {
  protected:
    std::string profile(const std::vector<std::filesystem::path>& folders = ncu_folders()) {
        return profile_winners(
            test_, task_, request_, folders, [&](const search::SweepProgress&) { ++shown_; }, stop_);
    }
    void add_size(std::uint64_t n, double us) {
        test_.sizes.push_back({.n = n, .first = db::candidate(), .second = db::candidate(), .first_us = us});
    }

    search::SelfTest test_;
    search::WorkerTask task_;
    search::SweepRequest request_{make_problem("sum", Type::f32), {1 << 18}, {Regime::cold}, true, "test"};
    std::atomic<bool> stop_ = false;
    std::size_t shown_ = 0;
};

TEST_F(ProfileWinners, TakesTheSizesWithTheLongestTimes) {
    for (std::uint64_t i = 1; i <= most_profiled_sizes + 2; ++i) add_size(i << 10, static_cast<double>(i));
    add_size(1 << 30, 0);  // its races failed
    const test::FakeNcu ncu("six_calls.csv");
    EXPECT_EQ(profile(), "");
    EXPECT_EQ(ncu.starts(), most_profiled_sizes);
    EXPECT_EQ(shown_, most_profiled_sizes);
    EXPECT_FALSE(test_.sizes[1].profiled);
    EXPECT_EQ(test_.sizes[2].profiled, (search::ProfiledCall{255, 2}));
    EXPECT_FALSE(test_.sizes.back().profiled);
}

TEST_F(ProfileWinners, SaysHowToGetNcu) {
    add_size(1 << 20, 250);
    const db::TemporaryFolder empty;
    EXPECT_THAT(profile({empty.path()}), HasSubstr("apt-get install"));
    EXPECT_FALSE(test_.is_interrupted);
}

TEST_F(ProfileWinners, StoppingInterruptsTheTest) {
    add_size(1 << 20, 250);
    stop_ = true;
    const test::FakeNcu ncu("six_calls.csv");
    EXPECT_EQ(profile(), "");
    EXPECT_TRUE(test_.is_interrupted);
    EXPECT_EQ(ncu.starts(), 0U);
}

}  // namespace
}  // namespace redtune::cli
