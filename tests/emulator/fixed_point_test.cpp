// Tests FixedPoint against sums in double, which are exact for these values.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "emulator.h"
#include "stand_in/cuda_builtins.h"
// Device code must be included after cuda_builtins.h.
#include "kernels_src/fixed_point.cuh"

namespace {

using redtune::FixedPoint;

unsigned biased_exponent(float value) {
    int exponent = 0;
    std::frexp(value, &exponent);
    return static_cast<unsigned>(std::max(0, exponent + 126));
}

/// Returns a generator of floats of any sign with exponents in [least, least + range).
rc::Gen<float> floats(int least, int range) {
    const auto significand = rc::gen::inRange(-(1 << 24) + 1, 1 << 24);
    return rc::gen::map(rc::gen::pair(significand, rc::gen::inRange(least, least + range)),
                        [](const auto& pair) { return std::ldexp(static_cast<float>(pair.first), pair.second - 24); });
}

RC_GTEST_PROP(FixedPoint, SumIsWithinTheRoundingOfItsParts, ()) {
    const int least = *rc::gen::inRange(-100, 90);
    const int range = *rc::gen::inRange(1, 25);
    const auto values = *rc::gen::container<std::vector<float>>(floats(least, range));
    const auto parts = static_cast<unsigned>(values.size() + 1);
    const auto n = parts * *rc::gen::inRange<std::uint64_t>(1, 5000);
    const FixedPoint fixed_point(biased_exponent(*floats(least, range)), n, parts);

    std::uint64_t sum = 0;
    unsigned count = 0;
    double exact = 0;
    double lost = 0;
    for (const float value : values) {
        redtune::u64 word = 0;
        if (!fixed_point.encode(value, word)) continue;
        sum += word;
        ++count;
        exact += value;
        lost += std::fabs(value) * std::ldexp(1.0, -19);
    }
    RC_ASSERT(fixed_point.count(sum) == count);
    RC_ASSERT(std::fabs(fixed_point.sum(sum) - exact) <= lost + std::fabs(exact) * std::ldexp(1.0, -24));
}

RC_GTEST_PROP(FixedPoint, AddsWholeNumbersExactly, ()) {
    const auto values = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-100000, 100000));
    const auto parts = static_cast<unsigned>(values.size() + 1);
    const FixedPoint fixed_point(biased_exponent(8.0F), std::uint64_t{parts} * 10000, parts);
    std::uint64_t sum = 0;
    int exact = 0;
    for (const int value : values) {
        redtune::u64 word = 0;
        RC_ASSERT(fixed_point.encode(static_cast<float>(value), word));
        sum += word;
        exact += value;
    }
    RC_ASSERT(fixed_point.sum(sum) == static_cast<float>(exact));
}

/// A part's sum is in range if all elements equal the sample or are twice as large. It is also in range if it is a
/// thousandth of the typical sum of elements of random sign, element * sqrt(n).
RC_GTEST_PROP(FixedPoint, SumsThatTheSamplePredictsAreInRange, ()) {
    const auto n_of_part = *rc::gen::inRange<std::uint64_t>(1, 10000);
    const auto parts = *rc::gen::inRange(2U, 256U);
    const float element = std::ldexp(1.5F, *rc::gen::inRange(-80, 80));
    const FixedPoint fixed_point(biased_exponent(element), n_of_part * parts, parts);
    const float full = element * static_cast<float>(n_of_part);
    const float typical = element * std::sqrt(static_cast<float>(n_of_part));
    redtune::u64 word = 0;
    for (const float value : {full, -full, full * 2, typical / 1000}) RC_ASSERT(fixed_point.encode(value, word));
}

TEST(FixedPoint, RefusesValuesOutOfRange) {
    const FixedPoint fixed_point(biased_exponent(1.0F), 1 << 20, 128);
    using Limits = std::numeric_limits<float>;
    redtune::u64 word = 0;
    for (const float value : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::max(),
                              Limits::min(), Limits::denorm_min(), 0x1p20F, 0x1p-40F}) {
        EXPECT_FALSE(fixed_point.encode(value, word)) << value;
    }
    for (const float value : {0.0F, -0.0F, 1.0F, -1.0F, 0x1p-10F, 0x1p13F}) {
        EXPECT_TRUE(fixed_point.encode(value, word)) << value;
    }
}

TEST(FixedPoint, HoldsMultiplesOfTheLeastNormalForASampleOfZeros) {
    const FixedPoint fixed_point(0, 1 << 20, 128);
    redtune::u64 word = 0;
    const float least = std::numeric_limits<float>::min();
    EXPECT_TRUE(fixed_point.encode(3 * least, word));
    EXPECT_EQ(fixed_point.sum(word), 3 * least);
    EXPECT_FALSE(fixed_point.encode(std::numeric_limits<float>::denorm_min(), word));
    EXPECT_FALSE(fixed_point.encode(1.0F, word));
}

TEST(FixedPoint, HoldsOnlyZeroForASampleOfInfinities) {
    const FixedPoint fixed_point(255, 1 << 20, 128);
    redtune::u64 word = 0;
    EXPECT_TRUE(fixed_point.encode(0.0F, word));
    EXPECT_FALSE(fixed_point.encode(1.0F, word));
    EXPECT_FALSE(fixed_point.encode(std::numeric_limits<float>::infinity(), word));
}

}  // namespace
