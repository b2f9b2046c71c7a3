#include "tuner/search/sizes_between.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace redtune::search {
namespace {

TEST(SizesBetween, BeginAboveTheLowerSizeAndAreEvenlySpaced) {
    EXPECT_THAT(sizes_between({1024, 2048}, 1, 3), testing::ElementsAre(1025, 1291, 1625));
    EXPECT_THAT(sizes_between({1024, 2048, 4096}, 1, 1), testing::ElementsAre(1025, 2049));
    EXPECT_THAT(sizes_between({1024, 4096}, 1, 2), testing::ElementsAre(1025, 1449, 2049, 2897));
}

TEST(SizesBetween, AreWholeRowsIfThereAreRows) {
    EXPECT_THAT(sizes_between({8000, 16000}, 1000, 2), testing::ElementsAre(9000, 11000));
}

TEST(SizesBetween, AreEmptyForOneSizeOrIfNoneAreRequested) {
    EXPECT_THAT(sizes_between({1024}, 1, 3), testing::IsEmpty());
    EXPECT_THAT(sizes_between({1024, 2048}, 1, 0), testing::IsEmpty());
    EXPECT_THAT(sizes_between({}, 1, 3), testing::IsEmpty());
    EXPECT_THAT(sizes_between({0, 1, 2, 3}, 1, 8), testing::IsEmpty());
}

RC_GTEST_PROP(SizesBetween, AreOddAndStrictlyBetweenTheEnds, ()) {
    auto sizes = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange(0, 1 << 30)));
    const std::uint64_t unit = *rc::gen::element(1, 7, 1000);
    for (std::uint64_t& n : sizes) n *= unit;
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    const auto between = sizes_between(sizes, unit, *rc::gen::inRange<std::size_t>(0, 9));
    RC_ASSERT(std::is_sorted(between.begin(), between.end()));
    for (const std::uint64_t n : between) {
        RC_ASSERT(n % unit == 0U);
        RC_ASSERT(n / unit % 2 == 1U);
        RC_ASSERT(n > sizes.front() && n < sizes.back());
        RC_ASSERT(std::find(sizes.begin(), sizes.end(), n) == sizes.end());
    }
}

RC_GTEST_PROP(SizesBetween, TheMiddleIsStrictlyBetween, ()) {
    const std::uint64_t low = *rc::gen::inRange<std::uint64_t>(0, 1 << 20);
    const std::uint64_t high = low + *rc::gen::inRange<std::uint64_t>(1, 1 << 20);
    const auto middle = size_in_the_middle(low * 3, high * 3, 3);
    if (middle) {
        RC_ASSERT(*middle > low * 3 && *middle < high * 3 && *middle % 3 == 0U);
    } else {
        RC_ASSERT(high - low <= 2U);
    }
}

}  // namespace
}  // namespace redtune::search
