// Floats as integers in bins by exponent, whose exact sum does not depend on the order of the additions.
#pragma once

#include "kernels_src/combine_block.cuh"
#include "kernels_src/memory_model.cuh"

namespace redtune {

/// A float as a word of the bin of its exponent. The words of one bin can be added: a word has a sum in its upper 52
/// bits and the number of summands in its lower 12 bits. Each of the bins 0 to 15 holds 16 exponents, so a summand has
/// at most 24 + 15 bits, and 4095 summands add at most 12 bits and a sign. The upper bits of the bin `non_finite` hold
/// three counts of 12 bits: of +inf, of -inf and of NaN. The bins are the long accumulator of Kulisch, cut into words
/// that overlap so that no carry passes from one to the next.
struct BinnedFloat {
    static constexpr u32 finite_bins = 16;
    static constexpr u32 non_finite = 17;  // the words after both kinds of bins are always 0
    static constexpr u32 words = 19;
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

/// Returns the sum of the infinities and NaN that the word of the bin `non_finite` counts: an infinity or NaN. At least
/// one must be counted.
__device__ inline float sum_of_non_finite(u64 word) {
    const auto count = [&](int kind) { return word >> kind * BinnedFloat::count_bits & BinnedFloat::max_summands; };
    const float infinity = __uint_as_float(0xffu << 23);
    if (count(3) != 0 || (count(1) != 0 && count(2) != 0)) return infinity - infinity;
    return count(1) != 0 ? infinity : -infinity;
}

/// Returns the sum of the floats in the word of a bin of finite floats, rounded to float.
__device__ inline float sum_of_bin(u32 bin, u64 word) {
    // The bin's unit, 2^(16 * bin - 150), is not always a float, but its square root is.
    constexpr u32 biased_exponent = 127 - 150 / 2;  // of bin 0's square root
    const float root = __uint_as_float((bin * (BinnedFloat::exponents / 2) + biased_exponent) << 23);
    return float(i64(word) >> BinnedFloat::count_bits) * root * root;
}

/// Returns the sum of all bins; valid in lane 0. Lane i has the word of bin i, other lanes have 0. All lanes of the first
/// warp call it.
__device__ inline float sum_of_bins(u64 word) {
    const bool is_finite = threadIdx.x != BinnedFloat::non_finite;
    const float sum = is_finite ? sum_of_bin(threadIdx.x, word) : sum_of_non_finite(word);
    return combine_warp<Sum<float, float, float>>(word != 0 ? sum : 0.0f);
}

/// The words of a lane's bin and of the next one.
struct NeighbouringBins {
    u64 low;
    u64 high;

    /// Loads the words of the lane; words[i] is the word of bin i. Lanes without a bin load a word that is always 0.
    __device__ void load(const u64* words) {
        low = load_relaxed(words + clamp_index(threadIdx.x, BinnedFloat::words));
        high = load_relaxed(words + clamp_index(threadIdx.x + 1, BinnedFloat::words));
    }

    /// Returns whether these two bins have `summands` summands, and the lower one at least one. If that is the number
    /// of all summands, it is true for one lane at most.
    __device__ bool has(u32 summands) const {
        // `&` instead of `&&`: short-circuit evaluation would compile to a branch.
        return (threadIdx.x < BinnedFloat::finite_bins) & (summands_of(low) != 0) &
               (summands_of(low) + summands_of(high) == summands);
    }

    /// Returns the sum of both bins.
    __device__ float sum() const { return sum_of_bin(threadIdx.x, low) + sum_of_bin(threadIdx.x + 1, high); }
};

}  // namespace redtune
