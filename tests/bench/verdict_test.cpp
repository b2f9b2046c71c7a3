#include "tuner/bench/verdict.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace redtune::bench {
namespace {

std::optional<std::string> judge_float(float got, double expected, double tolerance = 0) {
    return judge(Type::f32, std::bit_cast<std::uint32_t>(got), {expected, 0}, tolerance);
}

TEST(Verdict, IntegersWrap) {
    EXPECT_FALSE(judge(Type::i32, 5, {0, (std::uint64_t{3} << 32) + 5}, 0));
    EXPECT_FALSE(judge(Type::i32, 0xffffffffU, {0, ~std::uint64_t{0}}, 0));
    EXPECT_EQ(judge(Type::i32, 0xffffffffU, {0, 1}, 0), "expected 1, got -1");
}

TEST(Verdict, FloatsMayBeOffByTheToleranceAndNoMore) {
    EXPECT_FALSE(judge_float(1.5F, 1.5));
    EXPECT_TRUE(judge_float(1.5000001F, 1.5));
    EXPECT_FALSE(judge_float(1.5000001F, 1.5, 1e-6));
    EXPECT_FALSE(judge_float(-0.0F, 0.0));
    // The exact sum need not be a float itself.
    EXPECT_FALSE(judge_float(static_cast<float>(1.0 / 3), 1.0 / 3));
}

TEST(Verdict, NotANumberAndInfinitiesMustComeThrough) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(judge_float(static_cast<float>(nan), nan));
    EXPECT_TRUE(judge_float(0, nan));
    EXPECT_TRUE(judge_float(static_cast<float>(nan), 1, 1e9));
    EXPECT_FALSE(judge_float(static_cast<float>(infinity), infinity));
    EXPECT_TRUE(judge_float(static_cast<float>(-infinity), infinity));
    EXPECT_TRUE(judge_float(static_cast<float>(infinity), 1, 1e9));
}

TEST(Verdict, PoisonIsNeverRight) {
    constexpr std::uint32_t poison = 0x01010101U * poison_byte;
    EXPECT_TRUE(judge(Type::f32, poison, {0, 0}, 0));
    EXPECT_TRUE(judge(Type::i32, poison, {0, 0}, 0));
}

}  // namespace
}  // namespace redtune::bench
