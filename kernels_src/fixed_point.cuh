// Floats as integers, which add up to the same in any order.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// Biased.
__device__ inline u32 exponent_of(float value) {
    u32 bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits << 1 >> 24;
}

/// Of a normal float.
__device__ inline float power_of_two(int exponent) {
    const u32 bits = u32(exponent + 127) << 23;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/// Of a power of two, of which it is a normal float as well.
__device__ inline float inverse_of_power(float power) {
    u32 bits;
    memcpy(&bits, &power, sizeof(bits));
    bits = (254u << 23) - bits;
    memcpy(&power, &bits, sizeof(power));
    return power;
}

/// Bits that a number takes.
__device__ inline int width_of(u64 x) {
    return 64 - __clzll((long long)(x));
}

/// Whole numbers of a unit, a power of two, and how many they are, in one word of 64 bits. The unit is so small that
/// what has no place there is rare, and then is left to the caller.
class FixedPoint {
  public:
    /// That can be counted.
    static constexpr u32 most_parts = 2047;

    /// For sums of `parts` parts of n elements, of which some have the given biased exponent. A part's sum has room for
    /// elements that are all twice as large.
    __device__ FixedPoint(u32 exponent, u64 n, u32 parts)
        : count_bits_(width_of(parts)), room_(power_of_two(63 - 2 * count_bits_)) {
        constexpr int bias = 127;
        constexpr int most = 126;  // of which the inverse is a normal float as well
        constexpr int slack = 1;
        const int element_bits = width_of(n) - count_bits_ + 1;  // of a number of elements of a part
        const int part_bits = int(exponent) - bias + 1 + element_bits + slack;
        const int units = 63 - 2 * count_bits_ - part_bits;
        units_ = power_of_two(units < -most ? -most : units > most ? most : units);
    }

    /// The word of one part whose sum is the value, rounded to the unit. @return false if it is too large, or so small
    /// that more than 2^-19 of it would be lost
    __device__ bool encode(float value, u64& word) const {
        constexpr float enough = 1 << 18;
        const float units = value * units_;
        word = u64(llrintf(units)) << count_bits_ | 1;
        const float magnitude = fabsf(units);
        // No branches: the conversion is under way meanwhile.
        return ((magnitude >= enough) | (rintf(units) == units)) & (magnitude < room_);
    }

    /// How many parts' words have been added.
    __device__ u32 count(u64 word) const { return u32(word) & ((1u << count_bits_) - 1); }

    /// The float next to their sum.
    __device__ float sum(u64 word) const {
        return float(i64(word) >> count_bits_) * inverse_of_power(units_);
    }

  private:
    int count_bits_;
    float room_;   // units that are too many for a part's sum
    float units_;  // that make 1
};

}  // namespace redtune
