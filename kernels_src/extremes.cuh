// Minimum and maximum that propagate NaN, and ordered keys: unsigned integers that compare as the values do.
#pragma once

#include "kernels_src/packed_arithmetic.cuh"

namespace redtune {

/// The unsigned integer type of the ordered keys of values of `bytes` bytes.
template <int bytes>
struct KeyOf {
    using type = u32;
};
template <>
struct KeyOf<8> {
    using type = u64;
};

/// Returns the larger (is_max) or the smaller value; NaN if either is NaN. If the values are zeros of different sign,
/// either may be returned.
template <bool is_max, class T>
__device__ T extreme(T a, T b) {
    if constexpr (IsFloat<T>::value && sizeof(T) == sizeof(float)) {
        return is_max ? max_or_nan(a, b) : min_or_nan(a, b);
    } else {
        return (is_max ? a > b : a < b) || is_nan(a) ? a : b;
    }
}

/// Returns the largest (is_max) or smallest element of a Vector (vector.cuh); NaN if any element is NaN.
template <bool is_max, class V>
__device__ auto extreme_of_vector(const V& x) {
    auto result = x.lane(0);
#pragma unroll
    for (int i = 1; i < V::lanes; ++i) result = extreme<is_max>(result, x.lane(i));
    return result;
}

/// Returns an unsigned integer such that keys compare as the values do; zeros of both signs have the same key. `value`
/// must not be NaN.
template <class T>
__device__ typename KeyOf<sizeof(T)>::type ordered_key(T value) {
    using Key = typename KeyOf<sizeof(T)>::type;
    constexpr Key sign = Key(1) << (8 * sizeof(Key) - 1);
    if constexpr (IsFloat<T>::value) {
        value += T(0);  // turns a negative zero into a positive one
        Key bits;
        memcpy(&bits, &value, sizeof(bits));
        return (bits & sign) != 0 ? ~bits : bits | sign;
    } else if constexpr (T(-1) < T(0)) {
        return Key(value) ^ sign;
    } else {
        return value;
    }
}

/// Returns the value whose ordered key is `key`. A key that belongs to no number gives NaN for floats.
template <class T>
__device__ T value_of_ordered_key(typename KeyOf<sizeof(T)>::type key) {
    using Key = typename KeyOf<sizeof(T)>::type;
    constexpr Key sign = Key(1) << (8 * sizeof(Key) - 1);
    if constexpr (IsFloat<T>::value) {
        const Key bits = (key & sign) != 0 ? key ^ sign : ~key;
        T value;
        memcpy(&value, &bits, sizeof(value));
        return value;
    } else if constexpr (T(-1) < T(0)) {
        return T(key ^ sign);
    } else {
        return T(key);
    }
}

}  // namespace redtune
