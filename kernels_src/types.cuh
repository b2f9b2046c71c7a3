// Fixed-width names, the 16-bit floating-point types, and type properties.
#pragma once

#include "kernels_src/half_bits.cuh"

namespace redtune {

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;

/// IEEE binary16 as a storage type; arithmetic is done in float.
struct Half {
    u16 bits;

    Half() = default;
    __device__ explicit Half(float value) : bits(float_to_half(value)) {}
    __device__ operator float() const { return half_to_float(bits); }
};

/// bfloat16, the upper half of a binary32, as a storage type; arithmetic is done in float.
struct BFloat16 {
    u16 bits;

    BFloat16() = default;
    /// Converts a float. Rounds to nearest, ties to even; NaN stays NaN.
    __device__ explicit BFloat16(float value) {
        u32 word;
        memcpy(&word, &value, sizeof(word));
        const bool is_nan = (word & 0x7fffffffu) > 0x7f800000u;
        bits = u16(is_nan ? (word >> 16) | 0x40u : (word + 0x7fffu + (word >> 16 & 1u)) >> 16);
    }
    __device__ operator float() const {
        const u32 word = u32(bits) << 16;
        float value;
        memcpy(&value, &word, sizeof(value));
        return value;
    }
};

template <class T>
struct IsFloat {
    static constexpr bool value = false;
};
template <>
struct IsFloat<float> {
    static constexpr bool value = true;
};
template <>
struct IsFloat<double> {
    static constexpr bool value = true;
};
template <>
struct IsFloat<Half> {
    static constexpr bool value = true;
};
template <>
struct IsFloat<BFloat16> {
    static constexpr bool value = true;
};

/// The type in which an accumulator is added: the unsigned type for signed integers, otherwise the type itself.
template <class T>
struct WrappingType {
    using type = T;
};
template <>
struct WrappingType<i32> {
    using type = u32;
};
template <>
struct WrappingType<i64> {
    using type = u64;
};

/// Returns the largest value of an accumulator type; infinity for floats.
template <class T>
__device__ T highest() {
    if constexpr (IsFloat<T>::value) {
        return T(1e300 * 1e300);
    } else if constexpr (T(-1) > T(0)) {
        return T(-1);
    } else {
        return T(typename WrappingType<T>::type(-1) >> 1);
    }
}
/// Returns the smallest value of an accumulator type; negative infinity for floats.
template <class T>
__device__ T lowest() {
    if constexpr (IsFloat<T>::value) {
        return T(-1e300 * 1e300);
    } else if constexpr (T(-1) > T(0)) {
        return T(0);
    } else {
        return T(-highest<T>() - 1);
    }
}

/// Returns whether the value is NaN; false for integers.
template <class T>
__device__ bool is_nan(T value) {
    return value != value;
}

}  // namespace redtune
