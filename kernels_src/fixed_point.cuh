// Floats as integers, which add up to the same in any order.
#pragma once

#include "kernels_src/packed_sum.cuh"

namespace redtune {

template <class Float>
struct FloatFormat;
template <>
struct FloatFormat<float> {
    using Bits = u32;
    static constexpr int fraction_bits = 23;
    static constexpr u32 infinite = 255;  // biased exponent
    static constexpr int words = 2;
};
template <>
struct FloatFormat<double> {
    using Bits = u64;
    static constexpr int fraction_bits = 52;
    static constexpr u32 infinite = 2047;
    static constexpr int words = 3;
};

template <class Float>
__device__ typename FloatFormat<Float>::Bits bits_of_float(Float value) {
    typename FloatFormat<Float>::Bits bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/// Biased, as the format has it.
template <class Float>
__device__ u32 exponent_of(Float value) {
    return u32(bits_of_float(value) << 1 >> (FloatFormat<Float>::fraction_bits + 1));
}

/// Of a normal double.
__device__ inline double power_of_two(int exponent) {
    const u64 bits = u64(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/// Bits that a number takes.
__device__ inline int width_of(u64 x) {
    return 64 - __clzll((long long)(x));
}

/// Whole numbers of a unit, a power of two, in two or three words: Kulisch's long accumulator, cut to what one launch
/// needs. The unit is so small that what has no place among them is rare, and then is left to the caller: what has one
/// is exact.
template <class Float>
class FixedPoint {
    using Format = FloatFormat<Float>;

  public:
    static constexpr int words = Format::words;

    /// For sums of `parts` parts of n elements, of which some have the given biased exponent. A part's sum has room for
    /// elements that are eight times as large.
    __device__ FixedPoint(u32 exponent, u64 n, u32 parts) : sum_bits_(32 * words - 2 - width_of(parts)) {
        constexpr int slack = 3;
        const int part_bits = width_of(n) - width_of(parts) + 1;  // of the elements of a part
        unit_ = int(exponent) + 1 + part_bits + slack - sum_bits_;
    }

    /// @return whether the value is a whole number of units and small enough
    __device__ bool encode(Float value, u32 (&number)[words]) const {
        constexpr u64 first_bit = u64(1) << Format::fraction_bits;
        const u32 exponent = exponent_of(value);
        const u64 bits = bits_of_float(value);
        const u64 significand = (bits & (first_bit - 1)) | (exponent == 0 ? 0 : first_bit);
        const int shift = int(exponent == 0 ? 1 : exponent) - Format::fraction_bits - unit_;
        u64 low = shift >= 0 ? significand << (shift & 63) : shift > -64 ? significand >> (-shift & 63) : 0;
        u64 high = words > 2 && shift > 0 ? significand >> ((64 - shift) & 63) : 0;
        const bool is_whole = shift >= 0 || (low != 0 && low << (-shift & 63) == significand);
        const bool is_small = exponent != Format::infinite && shift < sum_bits_ - Format::fraction_bits;
        if (value < Float(0)) {
            low = 0 - low;
            high = ~high + (low == 0 ? 1 : 0);
        }
        number[0] = u32(low);
        number[1] = u32(low >> 32);
        if constexpr (words > 2) number[2] = u32(high);
        return significand == 0 || (is_small && is_whole);
    }

    /// The float that is nearest to the sum, or to the double that is.
    __device__ Float decode(const PackedSum<words>& sum) const {
        const u64 low = sum.lower(0) + (sum.word(1) << 32);
        if constexpr (words == 2) {
            return Float(double(i64(low)) * power_of_two(unit_ - (Format::infinite >> 1)));
        } else {
            const u64 carry = (sum.word(1) >> 32) + (low < sum.lower(0) ? 1 : 0);
            return nearest(low, i32(u32(sum.word(2) + carry)));
        }
    }

  private:
    /// Of a number of 96 bits.
    __device__ double nearest(u64 low, i32 high) const {
        const bool is_negative = high < 0;
        u64 magnitude = is_negative ? 0 - low : low;
        u64 upper = u32(is_negative ? ~u32(high) + (low == 0 ? 1 : 0) : u32(high));
        int exponent = unit_ - int(Format::infinite >> 1);
        if (upper != 0) {
            const int right = width_of(upper);
            const bool is_inexact = magnitude << (64 - right) != 0;  // decides what lies halfway
            magnitude = upper << (64 - right) | magnitude >> right | u64(is_inexact);
            exponent += right;
        }
        // In two steps, of which one is exact: together they may leave what a double can be.
        const double value = double(magnitude) * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
        return is_negative ? -value : value;
    }

    int sum_bits_;  // of a part's sum
    int unit_;      // biased exponent
};

}  // namespace redtune
