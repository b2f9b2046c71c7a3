#include "tuner/timing/random_sizes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace redtune::timing {
namespace {

std::vector<std::uint64_t> counts_of(const std::string& configuration, std::uint64_t share, std::uint64_t most) {
    std::vector<std::uint64_t> counts;
    for (const RandomSize& size : random_sizes(configuration, share, most)) counts.push_back(size.count);
    return counts;
}

std::string any_configuration() {
    return "f(block=" + std::to_string(*rc::gen::arbitrary<std::uint32_t>()) + ")";
}

RC_GTEST_PROP(RandomSizes, StayWithinTheLimit, ()) {
    const auto share = *rc::gen::inRange<std::uint64_t>(1, 300'000);
    const auto most = *rc::gen::inRange<std::uint64_t>(1, 4'000'000);
    for (const RandomSize& size : random_sizes(any_configuration(), share, most)) {
        RC_ASSERT(size.count >= 1U);
        RC_ASSERT(size.count <= most);
        RC_ASSERT(size.offset <= max_random_offset);
    }
}

// If a kernel is wrong whenever n % m == r, for some m from 2 to 8, then the random sizes of every configuration
// contain such an n, aligned and misaligned.
RC_GTEST_PROP(RandomSizes, LeaveEveryRemainderModuloTwoToEightOnBothAlignments, ()) {
    const auto share = *rc::gen::inRange<std::uint64_t>(1, 300'000);
    const auto most = 2 * remainder_period + *rc::gen::inRange<std::uint64_t>(0, 4'000'000);
    const auto sizes = random_sizes(any_configuration(), share, most);
    for (std::uint64_t modulus = 2; modulus <= 8; ++modulus) {
        std::set<std::uint64_t> aligned;
        std::set<std::uint64_t> misaligned;
        for (const RandomSize& size : sizes) (size.offset == 0 ? aligned : misaligned).insert(size.count % modulus);
        RC_ASSERT(aligned.size() == modulus);
        RC_ASSERT(misaligned.size() == modulus);
    }
}

RC_GTEST_PROP(RandomSizes, HalfAreForFewBlocksAndTheRestForUpToSixteen, ()) {
    const auto share = *rc::gen::inRange<std::uint64_t>(remainder_period, 300'000);
    const std::vector<std::uint64_t> counts = counts_of(any_configuration(), share, 100 * share);
    RC_ASSERT(std::count_if(counts.begin(), counts.end(), [&](auto count) { return count <= 4 * share; }) >= 8);
    RC_ASSERT(*std::max_element(counts.begin(), counts.end()) <= 16 * share);
}

TEST(RandomSizes, ReachBeyondFourBlocksForMostConfigurations) {
    constexpr std::uint64_t share = 4096;
    int reach = 0;
    for (int i = 0; i < 100; ++i) {
        const std::vector<std::uint64_t> counts = counts_of("f(" + std::to_string(i) + ")", share, 100 * share);
        reach += *std::max_element(counts.begin(), counts.end()) > 4 * share ? 1 : 0;
    }
    EXPECT_GE(reach, 99);
}

TEST(RandomSizes, AreTheSameEachTimeAndDifferentForEachConfiguration) {
    const std::vector<std::uint64_t> once = counts_of("f(block=256)", 4096, 1 << 20);
    EXPECT_EQ(counts_of("f(block=256)", 4096, 1 << 20), once);
    EXPECT_NE(counts_of("f(block=512)", 4096, 1 << 20), once);
    EXPECT_EQ(std::set<std::uint64_t>(once.begin(), once.end()).size(), random_size_count);
}

TEST(RandomSizes, EverySecondIsMisaligned) {
    const auto sizes = random_sizes("f(block=256)", 4096, 1 << 20);
    std::set<std::uint64_t> offsets;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        EXPECT_EQ(sizes[i].offset == 0, i % 2 == 0) << i;
        offsets.insert(sizes[i].offset);
    }
    EXPECT_GT(offsets.size(), 3U) << "misaligned by different amounts";
}

TEST(RandomSizes, ExistEvenIfOnlyOneRowFits) {
    EXPECT_EQ(counts_of("f(block=256)", 1, 1), std::vector<std::uint64_t>(random_size_count, 1));
}

}  // namespace
}  // namespace redtune::timing
