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

/// The extreme of a Vector's elements (load.cuh).
template <bool is_max, class V>
__device__ auto extreme_of(const V& x) {
    auto result = x.lane(0);
#pragma unroll
    for (int i = 1; i < V::lanes; ++i) result = extreme<is_max>(result, x.lane(i));
    return result;
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

/// The value of a rank; of floats, a NaN for ranks that no number has.
template <class T>
__device__ T value_of_rank(typename KeyOf<sizeof(T)>::type rank) {
    using Key = typename KeyOf<sizeof(T)>::type;
    constexpr Key sign = Key(1) << (8 * sizeof(Key) - 1);
    if constexpr (IsFloat<T>::value) {
        const Key bits = (rank & sign) != 0 ? rank ^ sign : ~rank;
        T value;
        memcpy(&value, &bits, sizeof(value));
        return value;
    } else if constexpr (T(-1) < T(0)) {
        return T(rank ^ sign);
    } else {
        return T(rank);
    }
}

}  // namespace redtune
