// Floats as fixed-point integers, whose sum does not depend on the order of the additions.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

__device__ inline u32 biased_exponent(float value) {
    u32 bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits << 1 >> 24;
}

/// Returns 2^exponent, which must be a normal float.
__device__ inline float power_of_two(int exponent) {
    const u32 bits = u32(exponent + 127) << 23;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/// Returns the exact reciprocal of `power`, a power of two; the reciprocal must also be a normal float.
__device__ inline float reciprocal_of_power(float power) {
    u32 bits;
    memcpy(&bits, &power, sizeof(bits));
    bits = (254u << 23) - bits;
    memcpy(&power, &bits, sizeof(power));
    return power;
}

/// Returns the number of bits needed to write x.
__device__ inline int bit_width(u64 x) {
    return 64 - __clzll((long long)(x));
}

/// A fixed-point format for 64-bit words that hold a sum in their upper bits and the number of summands in their lower
/// bits. The unit, the value of the sum's lowest bit, is a power of two that is chosen so that values out of range are
/// rare.
class FixedPoint {
  public:
    /// The maximum number of parts whose words can be added.
    static constexpr u32 max_parts = 2047;

    /// Makes a format for the sum of n elements in `parts` parts. exponent: the biased exponent of a large element. A
    /// part's sum still fits if all its elements are twice as large as that element.
    __device__ FixedPoint(u32 exponent, u64 n, u32 parts)
        : count_bits_(bit_width(parts)), unit_limit_(power_of_two(63 - 2 * count_bits_)) {
        constexpr int bias = 127;
        constexpr int max_exponent = 126;  // the reciprocal of 2^126 is a normal float as well
        constexpr int slack = 1;
        const int element_bits = bit_width(n) - count_bits_ + 1;  // bits of a part's number of elements
        const int part_bits = int(exponent) - bias + 1 + element_bits + slack;
        const int unit_bits = 63 - 2 * count_bits_ - part_bits;
        units_per_one_ = power_of_two(unit_bits < -max_exponent ? -max_exponent
                                      : unit_bits > max_exponent ? max_exponent
                                                                 : unit_bits);
    }

    /// Sets `word` to the encoding of one part: its sum `value`, rounded to the unit, and a count of 1. Returns false
    /// if the value is out of range: too large, or so small that rounding loses more than 2^-19 of it.
    __device__ bool encode(float value, u64& word) const {
        constexpr float accurate_units = 1 << 18;
        const float units = value * units_per_one_;
        word = u64(llrintf(units)) << count_bits_ | 1;
        const float magnitude = fabsf(units);
        // `&` and `|` instead of `&&` and `||`: short-circuit evaluation would compile to a branch, which would wait
        // for the conversion.
        return ((magnitude >= accurate_units) | (rintf(units) == units)) & (magnitude < unit_limit_);
    }

    /// Returns the number of parts whose words have been added.
    __device__ u32 count(u64 word) const { return u32(word) & ((1u << count_bits_) - 1); }

    /// Returns the float nearest to the sum of the parts.
    __device__ float sum(u64 word) const {
        return float(i64(word) >> count_bits_) * reciprocal_of_power(units_per_one_);
    }

  private:
    int count_bits_;
    float unit_limit_;     // a part's sum must have fewer units
    float units_per_one_;  // units that add up to 1
};

}  // namespace redtune
