// Fixed point against sums that are exact in 113 bits.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "emulator.h"
#include "stand_in/cuda_builtins.h"
// Device code.
#include "kernels_src/fixed_point.cuh"

namespace {

using redtune::FixedPoint;
using redtune::PackedSum;

template <class Float>
int biased_exponent(Float value) {
    int exponent = 0;
    std::frexp(value, &exponent);
    return exponent - std::numeric_limits<Float>::min_exponent + 1;
}

/// A float of any sign whose exponent is `least` to `least + range`, with some of the lowest bits zero.
template <class Float>
rc::Gen<Float> floats(int least, int range) {
    constexpr int digits = std::numeric_limits<Float>::digits;
    const auto significand =
        rc::gen::inRange<std::int64_t>(-(std::int64_t{1} << digits) + 1, std::int64_t{1} << digits);
    const auto parts = rc::gen::tuple(significand, rc::gen::inRange(0, digits), rc::gen::inRange(least, least + range));
    return rc::gen::map(parts, [](const auto& tuple) {
        const auto [bits, zeros, exponent] = tuple;
        return static_cast<Float>(
            std::ldexp(static_cast<Float>(bits / (std::int64_t{1} << zeros)), exponent - digits + zeros));
    });
}

template <class Float>
void check_sums(int least, int range) {
    constexpr int words = FixedPoint<Float>::words;
    const auto values = *rc::gen::container<std::vector<Float>>(floats<Float>(least, range));
    const auto parts = static_cast<unsigned>(values.size() + 1);
    const auto n = parts * *rc::gen::inRange<std::uint64_t>(1, 5000);
    const auto sample = *floats<Float>(least, range);
    const FixedPoint<Float> fixed_point(unsigned(std::max(0, biased_exponent(sample))), n, parts);

    PackedSum<words> sum{};
    __float128 exact = 0;
    unsigned escaped = 0;
    for (const Float value : values) {
        unsigned number[words];
        const bool fits = fixed_point.encode(value, number);
        if (fits) exact += value;
        escaped += fits ? 0 : 1;
        for (int i = 0; i < words; ++i) sum.total[i] += PackedSum<words>::share(i, fits ? number[i] : 0, !fits);
    }
    for (int i = 0; i < words; ++i) RC_ASSERT(PackedSum<words>::count(i, sum.total[i]) == values.size());
    RC_ASSERT(sum.escaped() == escaped);
    RC_ASSERT(fixed_point.decode(sum) == static_cast<Float>(static_cast<double>(exact)));
}

RC_GTEST_PROP(FixedPoint, AddsFloatsExactly, ()) {
    check_sums<float>(*rc::gen::inRange(-140, 90), *rc::gen::inRange(1, 30));
}

RC_GTEST_PROP(FixedPoint, AddsDoublesExactly, ()) {
    check_sums<double>(*rc::gen::inRange(-1060, 970), *rc::gen::inRange(1, 30));
}

/// Sums of a part's elements that are as large as the sample, or eight times as large, and as small as a thousandth.
template <class Float>
void check_room(int least, int most) {
    const auto n_of_part = *rc::gen::inRange<std::uint64_t>(1, 100000);
    const auto parts = *rc::gen::inRange(2U, 2000U);
    const int exponent = *rc::gen::inRange(least, most);
    const FixedPoint<Float> fixed_point(unsigned(biased_exponent(std::ldexp(Float(1.5), exponent))), n_of_part * parts,
                                        parts);
    const Float full = std::nextafter(std::ldexp(Float(2), exponent), Float(0)) * static_cast<Float>(n_of_part);
    unsigned number[FixedPoint<Float>::words];
    for (const Float value : {full, -full, full * 8, full / 1024, std::ldexp(Float(1), exponent) / 1024}) {
        RC_ASSERT(fixed_point.encode(value, number));
    }
}

RC_GTEST_PROP(FixedPoint, HasRoomForWhatTheSampleAllows, ()) {
    check_room<float>(-100, 100);
    check_room<double>(-900, 900);
}

template <class Float>
void check_escapes() {
    const FixedPoint<Float> fixed_point(unsigned(biased_exponent(Float(1))), 1 << 20, 128);
    unsigned number[FixedPoint<Float>::words];
    using Limits = std::numeric_limits<Float>;
    for (const Float value :
         {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::max(), Limits::min(),
          Limits::denorm_min(), std::ldexp(Float(1), 100), std::ldexp(Float(1), -100)}) {
        EXPECT_FALSE(fixed_point.encode(value, number)) << value;
    }
    for (const Float value : {Float(0), -Float(0), Float(1), Float(-1), Float(1) / 1024}) {
        EXPECT_TRUE(fixed_point.encode(value, number)) << value;
    }
}

TEST(FixedPoint, LeavesOutWhatHasNoPlace) {
    check_escapes<float>();
    check_escapes<double>();
}

/// Nothing is known of elements whose sample is zero but that they may be small.
TEST(FixedPoint, TakesDenormalsForASampleOfZeros) {
    const FixedPoint<float> fixed_point(0, 1 << 20, 128);
    unsigned number[2];
    EXPECT_TRUE(fixed_point.encode(std::numeric_limits<float>::denorm_min(), number));
    EXPECT_TRUE(fixed_point.encode(-std::numeric_limits<float>::min(), number));
    EXPECT_FALSE(fixed_point.encode(1.0F, number));
}

}  // namespace
