// Smallest and largest of values, where a NaN among them is the result; and keys, integers that order as values do.
#pragma once

#include "kernels_src/packed_arithmetic.cuh"

namespace redtune {

template <int bytes>
struct KeyOf {
    using type = u32;
};
template <>
struct KeyOf<8> {
    using type = u64;
};

/// The larger or smaller; NaN if either is. Of zeros of both signs, either.
template <bool is_max, class T>
__device__ T extreme(T a, T b) {
    if constexpr (IsFloat<T>::value && sizeof(T) == sizeof(float)) {
        return is_max ? max_or_nan(a, b) : min_or_nan(a, b);
    } else {
        return (is_max ? a > b : a < b) || is_nan(a) ? a : b;
    }
}

/// Types of which the hardware compares two at once.
template <class T>
constexpr bool has_packed_extreme = IsFloat<T>::value && sizeof(T) == 2;

template <bool is_max>
__device__ u32 extreme_x2(Half, u32 a, u32 b) {
    return is_max ? max_or_nan_f16x2(a, b) : min_or_nan_f16x2(a, b);
}
template <bool is_max>
__device__ u32 extreme_x2(BFloat16, u32 a, u32 b) {
    return is_max ? max_or_nan_bf16x2(a, b) : min_or_nan_bf16x2(a, b);
}

/// The extreme of a Vector's elements (load.cuh); of 16-bit floats, as float.
template <bool is_max, class T, class V>
__device__ auto extreme_of(const V& x) {
    if constexpr (has_packed_extreme<T>) {
        u32 both = x.words[0];
#pragma unroll
        for (int i = 1; i < V::lanes / 2; ++i) both = extreme_x2<is_max>(T(), both, x.words[i]);
        T halves[2];
        memcpy(halves, &both, sizeof(both));
        return extreme<is_max>(float(halves[0]), float(halves[1]));
    } else {
        T result = x.lane(0);
#pragma unroll
        for (int i = 1; i < V::lanes; ++i) result = extreme<is_max>(result, x.lane(i));
        return result;
    }
}

/// The key of a value: ascending with it, equal for zeros of both signs. Not for NaN.
template <class T>
__device__ typename KeyOf<sizeof(T)>::type rank_of(T value) {
    using Key = typename KeyOf<sizeof(T)>::type;
    constexpr Key sign = Key(1) << (8 * sizeof(Key) - 1);
    if constexpr (IsFloat<T>::value) {
        value += T(0);  // makes a negative zero a positive one
        Key bits;
        memcpy(&bits, &value, sizeof(bits));
        return (bits & sign) != 0 ? ~bits : bits | sign;
    } else if constexpr (T(-1) < T(0)) {
        return Key(value) ^ sign;
    } else {
        return value;
    }
}

/// The float of a rank; a NaN for ranks that no number has.
__device__ inline float float_of_rank(u32 rank) {
    const u32 bits = (rank >> 31) != 0 ? rank ^ 0x80000000u : ~rank;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

}  // namespace redtune
