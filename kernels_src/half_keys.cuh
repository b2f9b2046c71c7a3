// Ordered keys of 16-bit floats, and the lowest key of Vectors of them, two elements per instruction.
#pragma once

#include "kernels_src/packed_arithmetic.cuh"
#include "kernels_src/vector.cuh"

namespace redtune {

/// The key of a 16-bit float, a 16-bit integer. The better of two floats, the smaller for a minimum and the larger for
/// a maximum, has the lower key. Every NaN has key 0. Min, max, argmin and argmax of 16-bit floats thus become minima
/// of integers.
using HalfKey = u32;

/// True for the 16-bit floats, of which one instruction compares two.
template <class T>
constexpr bool has_half_keys = IsFloat<T>::value && sizeof(T) == 2;

/// Returns the maximum (is_max) or minimum, element by element, of two words that hold two 16-bit floats each. An
/// element of the result is NaN (0x7fff) if either of its operands is NaN.
template <bool is_max>
__device__ u32 extreme_x2(Half, u32 a, u32 b) {
    return is_max ? max_or_nan_f16x2(a, b) : min_or_nan_f16x2(a, b);
}
template <bool is_max>
__device__ u32 extreme_x2(BFloat16, u32 a, u32 b) {
    return is_max ? max_or_nan_bf16x2(a, b) : min_or_nan_bf16x2(a, b);
}

/// Compares the two 16-bit floats in `word` with those in `limit`. Returns a mask: 16 bits for each float of `word`,
/// all set if the float is NaN or better than its limit (larger if is_max, else smaller), otherwise all clear.
template <bool is_max>
__device__ u32 better_or_nan_mask_x2(Half, u32 word, u32 limit) {
    return is_max ? above_or_nan_f16x2(word, limit) : below_or_nan_f16x2(word, limit);
}
template <bool is_max>
__device__ u32 better_or_nan_mask_x2(BFloat16, u32 word, u32 limit) {
    return is_max ? above_or_nan_bf16x2(word, limit) : below_or_nan_bf16x2(word, limit);
}

/// Returns the bits of positive infinity.
__device__ constexpr u32 infinity_bits(Half) {
    return 0x7c00;
}
__device__ constexpr u32 infinity_bits(BFloat16) {
    return 0x7f80;
}

/// Returns the key of the number with these bits, or 0 for 0x7fff, the NaN that the hardware's minimum and maximum
/// return. The two zeros have different keys.
template <bool is_max>
__device__ constexpr HalfKey half_key_of_bits(u32 bits) {
    const u32 signs = u32(i32(bits << 16) >> 31);
    const u32 ascending = bits ^ (signs | 0x8000u);  // 0xffff, the highest value, for the NaN 0x7fff
    return (is_max ? ~ascending : ascending + 1) & 0xffffu;
}

/// Returns the key of any value, including every NaN.
template <bool is_max, class T>
__device__ HalfKey half_key(T value) {
    return half_key_of_bits<is_max>((value.bits & 0x7fffu) > infinity_bits(T()) ? 0x7fffu : u32(value.bits));
}

/// Returns `key`, except that both zeros get the same key: the higher of their two keys.
template <bool is_max>
__device__ HalfKey merge_zero_keys(HalfKey key) {
    constexpr HalfKey lower = is_max ? 0x7fff : 0x8000;
    return key == lower ? lower + 1 : key;
}

/// Returns the value that has the key; 0x7fff, a NaN, for key 0.
template <class T, bool is_max>
__device__ T value_of_half_key(HalfKey key) {
    const u32 ascending = (is_max ? ~key : key - 1) & 0xffffu;
    T value;
    value.bits = u16((ascending & 0x8000u) != 0 ? ascending ^ 0x8000u : ~ascending);
    return value;
}

/// Returns the lowest key of the elements of several Vectors.
template <bool is_max, class T, class V, int count>
__device__ HalfKey lowest_half_key(const V (&vectors)[count]) {
    u32 extremes[count];  // of each Vector: the extreme of its even elements and that of its odd elements
#pragma unroll
    for (int i = 0; i < count; ++i) {
        extremes[i] = vectors[i].words[0];
#pragma unroll
        for (int word = 1; word < V::lanes / 2; ++word) {
            extremes[i] = extreme_x2<is_max>(T(), extremes[i], vectors[i].words[word]);
        }
    }
    u32 both = extremes[0];
#pragma unroll
    for (int i = 1; i < count; ++i) both = extreme_x2<is_max>(T(), both, extremes[i]);
    return half_key_of_bits<is_max>(extreme_x2<is_max>(T(), both, both >> 16) & 0xffffu);
}

}  // namespace redtune
