#include "tuner/emit/size_intervals.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace redtune::emit {
namespace {

using Intervals = std::vector<SizeInterval>;

TEST(SizeIntervals, MergesEqualNeighboursAndFindsTheExactSwitchOver) {
    const auto at = [](std::uint64_t n) { return std::size_t{n <= 777 ? 0U : n == 4096 ? 2U : 1U}; };
    EXPECT_EQ(find_intervals({256, 8192, 1}, {256, 1024, 4096, 8192}, at),
              (Intervals{{777, 0}, {4095, 1}, {4096, 2}, {8192, 1}}));
}

TEST(SizeIntervals, OfOneSizeIsOneInterval) {
    EXPECT_EQ(find_intervals({1000, 1000, 1000}, {1000}, [](std::uint64_t) { return 3; }), (Intervals{{1000, 3}}));
}

TEST(SizeIntervals, AsksForWholeRowsOnly) {
    const auto intervals = find_intervals({1000, 1'000'000, 1000}, {1000, 64'000}, [](std::uint64_t n) {
        EXPECT_EQ(n % 1000, 0U);
        EXPECT_TRUE(1000 <= n && n <= 1'000'000);
        return std::size_t{n > 123'000};
    });
    EXPECT_EQ(intervals, (Intervals{{123'000, 0}, {1'000'000, 1}}));
}

TEST(SizeIntervals, ReachTheLargestSizes) {
    const std::uint64_t most = std::uint64_t{1} << 50;
    const auto intervals = find_intervals({1, most, 1}, {}, [&](std::uint64_t n) { return std::size_t{n > most / 3}; });
    EXPECT_EQ(intervals, (Intervals{{most / 3, 0}, {most, 1}}));
}

// Between two neighbouring tuned sizes the configuration switches at most once, as the catalog's usually does.
RC_GTEST_PROP(SizeIntervals, GiveTheConfigurationOfEverySize, ()) {
    auto tuned = *rc::gen::unique<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 3000));
    tuned.insert(tuned.end(), {1, 3000});
    std::sort(tuned.begin(), tuned.end());
    tuned.erase(std::unique(tuned.begin(), tuned.end()), tuned.end());
    std::vector<std::size_t> expected(3001);
    for (std::size_t i = 0; i + 1 < tuned.size(); ++i) {
        const auto low = *rc::gen::inRange<std::size_t>(0, 4);
        const auto high = *rc::gen::inRange<std::size_t>(0, 4);
        const auto switch_over = *rc::gen::inRange(tuned[i], tuned[i + 1] + 1);
        for (std::uint64_t n = tuned[i] + 1; n < tuned[i + 1]; ++n) expected[n] = n < switch_over ? low : high;
        expected[tuned[i]] = *rc::gen::inRange<std::size_t>(0, 4);
    }
    const auto intervals =
        find_intervals({1, 3000, 1}, tuned, [&](std::uint64_t n) { return expected[static_cast<std::size_t>(n)]; });
    std::size_t n = 1;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        if (i > 0) RC_ASSERT(intervals[i].configuration != intervals[i - 1].configuration);
        for (; n <= intervals[i].last_n; ++n) RC_ASSERT(intervals[i].configuration == expected[n]);
    }
    RC_ASSERT(n == 3001U);
}

}  // namespace
}  // namespace redtune::emit
