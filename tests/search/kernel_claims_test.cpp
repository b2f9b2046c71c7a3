#include "tuner/search/kernel_claims.h"

#include <gtest/gtest.h>

#include <future>

#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

class KernelClaimsTest : public testing::Test {
  protected:
    static Trial trial(std::int64_t block, std::int64_t blocks_per_sm = 1) {
        Trial trial;
        trial.configuration = {"fake", {{"block", block}, {"blocks_per_sm", blocks_per_sm}}};
        return trial;
    }

    std::vector<Family> families_ = parse_families("fake.cuh", front_matter);
    KernelClaims claims_{families_};
};

TEST_F(KernelClaimsTest, TrialsThatDifferInLaunchParametersShareAKernel) {
    EXPECT_EQ(kernel_of(trial(64, 1).configuration, families_), kernel_of(trial(64, 2).configuration, families_));
    EXPECT_NE(kernel_of(trial(64).configuration, families_), kernel_of(trial(128).configuration, families_));
}

TEST_F(KernelClaimsTest, AKernelIsClaimedOnce) {
    const std::vector<Trial> both{trial(32), trial(64), trial(64, 2)};
    {
        const KernelClaims::Claim first(claims_, {both.data(), 1});
        EXPECT_EQ(first.trials().size(), 1U);
        const KernelClaims::Claim second(claims_, both);
        EXPECT_EQ(second.trials(), std::vector(both.begin() + 1, both.end())) << "trials of one kernel stay together";
    }
    EXPECT_EQ(KernelClaims::Claim(claims_, both).trials(), both) << "claims end";
}

TEST_F(KernelClaimsTest, OthersWaitForTheKernelsOfAClaim) {
    const std::vector<Trial> trials{trial(32)};
    const std::vector<Trial> others{trial(64)};
    auto claim = std::make_unique<KernelClaims::Claim>(claims_, trials);
    claims_.wait_for(others);
    std::promise<void> begun;
    auto waiting = std::async(std::launch::async, [&] {
        begun.set_value();
        claims_.wait_for(trials);
    });
    begun.get_future().wait();
    EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
    claim.reset();
    waiting.get();
}

}  // namespace
}  // namespace redtune::search
