// Keys of 16-bit floats, integers that order as the floats do, and extremes of Vectors of them, two at a time.
#pragma once

#include "kernels_src/load.cuh"
#include "kernels_src/packed_arithmetic.cuh"

namespace redtune {

/// The key of a 16-bit float among a problem's values: of 16 bits, the lowest for the value looked for. 0 for any NaN.
using HalfKey = u32;

/// Types of which the hardware compares two at once.
template <class T>
constexpr bool has_half_keys = IsFloat<T>::value && sizeof(T) == 2;

template <bool is_max>
__device__ u32 extreme_x2(Half, u32 a, u32 b) {
    return is_max ? max_or_nan_f16x2(a, b) : min_or_nan_f16x2(a, b);
}
template <bool is_max>
__device__ u32 extreme_x2(BFloat16, u32 a, u32 b) {
    return is_max ? max_or_nan_bf16x2(a, b) : min_or_nan_bf16x2(a, b);
}

/// A mask of the halves of a word that lie beyond those of another, below or with is_max above; or are NaN.
template <bool is_max>
__device__ u32 beyond_x2(Half, u32 word, u32 limit) {
    return is_max ? above_or_nan_f16x2(word, limit) : below_or_nan_f16x2(word, limit);
}
template <bool is_max>
__device__ u32 beyond_x2(BFloat16, u32 word, u32 limit) {
    return is_max ? above_or_nan_bf16x2(word, limit) : below_or_nan_bf16x2(word, limit);
}

/// The bits of infinity.
__device__ constexpr u32 infinity_bits(Half) {
    return 0x7c00;
}
__device__ constexpr u32 infinity_bits(BFloat16) {
    return 0x7f80;
}

/// The key of a number, or of the NaN that the hardware's minimum and maximum give, 0x7fff. Zeros of both signs differ.
template <bool is_max>
__device__ constexpr HalfKey half_key_of_bits(u32 bits) {
    const u32 signs = u32(i32(bits << 16) >> 31);
    const u32 rank = bits ^ (signs | 0x8000u);  // of that NaN, the highest
    return (is_max ? ~rank : rank + 1) & 0xffffu;
}

template <bool is_max, class T>
__device__ HalfKey half_key(T value) {
    return half_key_of_bits<is_max>((value.bits & 0x7fffu) > infinity_bits(T()) ? 0x7fffu : u32(value.bits));
}

/// The same key for zeros of both signs: the higher one.
template <bool is_max>
__device__ HalfKey with_one_zero(HalfKey key) {
    constexpr HalfKey lower = is_max ? 0x7fff : 0x8000;
    return key == lower ? lower + 1 : key;
}

/// The value of a key that some value has; 0x7fff, a NaN, for 0.
template <class T, bool is_max>
__device__ T value_of_half_key(HalfKey key) {
    const u32 rank = (is_max ? ~key : key - 1) & 0xffffu;
    T value;
    value.bits = u16((rank & 0x8000u) != 0 ? rank ^ 0x8000u : ~rank);
    return value;
}

/// The lowest key of the elements of some Vectors.
template <bool is_max, class T, class V, int count>
__device__ HalfKey lowest_half_key(const V (&vectors)[count]) {
    u32 of_vector[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
        of_vector[i] = vectors[i].words[0];
#pragma unroll
        for (int word = 1; word < V::lanes / 2; ++word) {
            of_vector[i] = extreme_x2<is_max>(T(), of_vector[i], vectors[i].words[word]);
        }
    }
    u32 both = of_vector[0];
#pragma unroll
    for (int i = 1; i < count; ++i) both = extreme_x2<is_max>(T(), both, of_vector[i]);
    return half_key_of_bits<is_max>(extreme_x2<is_max>(T(), both, both >> 16) & 0xffffu);
}

}  // namespace redtune
