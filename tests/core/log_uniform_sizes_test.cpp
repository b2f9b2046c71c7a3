#include "tuner/core/log_uniform_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>

#include "redtune/error.h"

namespace redtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::uint64_t mebi = std::uint64_t{1} << 20;

RC_GTEST_PROP(LogUniformSizes, LieInTheRangeAndAscend, ()) {
    const auto first = *rc::gen::inRange<std::uint64_t>(1, 1000);
    const auto last = first + *rc::gen::inRange<std::uint64_t>(40, mebi);
    const auto count = *rc::gen::inRange<std::size_t>(1, 40);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto sizes = log_uniform_sizes(first, last, count, seed);
    RC_ASSERT(sizes.size() == count);
    RC_ASSERT(sizes.front() >= first);
    RC_ASSERT(sizes.back() <= last);
    RC_ASSERT(std::adjacent_find(sizes.begin(), sizes.end(), std::greater_equal<>()) == sizes.end());
    RC_ASSERT(sizes == log_uniform_sizes(first, last, count, seed));
}

/// Pins the sizes of two seeds, because a published comparison names nothing but its seed.
TEST(LogUniformSizes, AreTheSameOnEveryMachine) {
    EXPECT_THAT(log_uniform_sizes(256, 1024 * mebi, 5, 1), ElementsAre(3147, 16731, 18618, 3734094, 8152888));
    EXPECT_THAT(log_uniform_sizes(256, 1024 * mebi, 5, 2), ElementsAre(610086, 5341845, 26261830, 28816494, 389442436));
}

TEST(LogUniformSizes, EveryOctaveGetsItsShareAndFewSizesArePowersOfTwo) {
    const auto sizes = log_uniform_sizes(1024, 1024 * mebi, 4000, 7);
    std::vector<int> counts(20);
    int powers = 0;
    for (const std::uint64_t size : sizes) {
        ++counts.at(static_cast<std::size_t>(std::bit_width(size)) - 11);
        powers += std::has_single_bit(size) ? 1 : 0;
    }
    // 200 are expected in each octave, with a standard deviation of 14.
    for (const int count : counts) EXPECT_NEAR(count, 200, 70);
    EXPECT_LT(powers, 20);
    // Half of the sizes of an octave lie below its geometric middle.
    const auto below = std::count_if(sizes.begin(), sizes.end(), [](std::uint64_t size) {
        return static_cast<double>(size) / static_cast<double>(std::bit_floor(size)) < 1.41421356;
    });
    EXPECT_NEAR(static_cast<double>(below), 2000, 160);
}

TEST(LogUniformSizes, ARangeCanBeDrawnCompletely) {
    EXPECT_THAT(log_uniform_sizes(3, 6, 4, 1), ElementsAre(3, 4, 5, 6));
    EXPECT_THAT(log_uniform_sizes(1, 1, 1, 9), ElementsAre(1));
}

TEST(LogUniformSizes, MoreThanThereAreIsRefused) {
    const auto refused = [](std::uint64_t first, std::uint64_t last, std::size_t count) {
        EXPECT_THAT([&] { log_uniform_sizes(first, last, count, 1); },
                    ThrowsMessage<InputError>(HasSubstr("ask for fewer random sizes, or for a wider range")));
    };
    refused(3, 6, 5);
    refused(6, 3, 1);
    refused(0, 6, 1);
}

}  // namespace
}  // namespace redtune
