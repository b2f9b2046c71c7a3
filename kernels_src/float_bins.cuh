// Floats as integers in bins by exponent, whose exact sum does not depend on the order of the additions.
#pragma once

#include "kernels_src/combine_block.cuh"

namespace redtune {

/// A float as a word of the bin of its exponent. The words of one bin can be added: a word has a sum in its upper 52 bits
/// and the number of summands in its lower 12 bits. Each of the bins 0 to 15 holds 16 exponents, so a summand has at most
/// 24 + 15 bits, and 4095 summands add at most 12 bits and a sign. The upper bits of the bin `non_finite` hold three
/// counts of 12 bits: of +inf, of -inf and of NaN. The bins are the long accumulator of Kulisch, cut into words that
/// overlap so that no carry passes from one to the next.
struct BinnedFloat {
    static constexpr u32 bins = 17;
    static constexpr u32 non_finite = 16;
    static constexpr u32 max_summands = 4095;
    static constexpr int count_bits = 12;
    static constexpr u32 exponents = 16;

    u32 bin;
    u64 word;

    __device__ explicit BinnedFloat(float value) {
        u32 bits;
        memcpy(&bits, &value, sizeof(bits));
        const u32 exponent = bits << 1 >> 24;
        const u32 fraction = bits << 9 >> 9;
        const bool is_negative = bits >> 31 != 0;
        // Subnormal numbers have the unit of the lowest normal exponent, twice that of exponent 0.
        const u32 significand = exponent == 0 ? fraction << 1 : fraction | 1u << 23;
        const u64 magnitude = u64(significand) << exponent % exponents;
        const u64 sum = is_negative ? u64(0) - magnitude : magnitude;
        // Selections instead of a branch: threads would wait for each other after a branch.
        const bool is_finite = exponent != 255;
        bin = is_finite ? exponent / exponents : non_finite;
        word = (is_finite ? sum << count_bits : u64(1) << count_bits * (fraction != 0 ? 3 : is_negative ? 2 : 1)) | 1;
    }
};

/// Returns the number of floats that have been added to a bin's word.
__device__ inline u32 summands_of(u64 word) {
    return u32(word) & BinnedFloat::max_summands;
}

__device__ inline double double_of_bits(u64 bits) {
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/// Returns the sum of the infinities and NaN that the word of the bin `non_finite` counts: an infinity or NaN.
__device__ inline double sum_of_non_finite(u64 word) {
    constexpr u64 infinity = u64(0x7ff) << 52;
    constexpr u64 nan = infinity | u64(1) << 51;
    constexpr u64 sign = u64(1) << 63;
    const auto count = [&](int kind) { return word >> kind * BinnedFloat::count_bits & BinnedFloat::max_summands; };
    if (count(3) != 0 || (count(1) != 0 && count(2) != 0)) return double_of_bits(nan);
    return double_of_bits(count(1) != 0 ? infinity : infinity | sign);
}

/// Returns the sum of the floats in the word of a bin of finite floats.
__device__ inline double sum_of_bin(u32 bin, u64 word) {
    constexpr int double_bias = 1023;
    constexpr int lowest_exponent = -150;  // of the unit of exponent 0
    const int exponent = int(bin * BinnedFloat::exponents) + lowest_exponent;
    return double(i64(word) >> BinnedFloat::count_bits) * double_of_bits(u64(exponent + double_bias) << 52);
}

/// Returns the sum of all bins, rounded to double; valid in lane 0. Lane i has the word of bin i, the lanes without a bin
/// have 0. All lanes of the first warp call it.
__device__ inline double sum_of_bins(u64 word) {
    double sum = sum_of_bin(threadIdx.x, word);
    const u32 used = __ballot_sync(full_warp, word != 0);
    const u32 others = used & (used - 1);  // without the lowest bin
    // Usual case: the partials of similar blocks fall in one bin or in two, which fewer shuffles combine.
    if (__builtin_expect(used < 1u << BinnedFloat::non_finite && (others & (others - 1)) == 0, true)) {
        const double low = __shfl_sync(full_warp, sum, __ffs(int(used)) - 1);
        return others == 0 ? low : low + __shfl_sync(full_warp, sum, __ffs(int(others)) - 1);
    }
    if (threadIdx.x == BinnedFloat::non_finite) sum = word == 0 ? 0 : sum_of_non_finite(word);
    return combine_warp<Sum<double, double, double>>(sum);
}

}  // namespace redtune
