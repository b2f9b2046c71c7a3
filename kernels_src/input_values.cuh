// Values of generated inputs: values that reduce exactly in any order, and uniform random values.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// Returns a pseudo-random word for each value of a counter: one step of splitmix64 (Steele, Lea, Flood, 2014).
__device__ inline u64 splitmix64(u64 x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// The kinds of elements of a generated input.
/// random: floats uniform in [-1, 1) with all mantissa bits in use, integers over their whole range.
/// whole: whole numbers in [-8, 8] (modulo the type's range); sums of floats are exact in any order below 2^24.
/// units: -1, 0 or 1; sums of squares and of absolute values stay exact up to larger n than with `whole`.
/// small: whole numbers in [0, 16], for unsigned integers that are added as f64. Their -1 is the type's largest number, with
/// which such sums are not exact.
/// factors: floats 1 or -1, odd integers; products are exact and depend on every element.
/// exact_factors: for integers that are multiplied as f64, in which products of `factors` are rounded: 1 or -1; of unsigned
/// types 1 or 2, with ever fewer 2, so that the product of 2^32 elements is finite.
/// near_one: floats within 2^-20 of 1, so that long products neither overflow nor vanish; integers as in `factors`.
enum class Values { random, whole, units, small, factors, exact_factors, near_one };

/// Returns the input element at `index` for a seed.
template <class T, Values values>
__device__ T make_element(u64 index, u64 seed) {
    const u64 bits = splitmix64(index ^ (seed << 48));
    if constexpr (values == Values::whole) {
        return T(int(bits % 17) - 8);
    } else if constexpr (values == Values::units) {
        return T(int(bits % 3) - 1);
    } else if constexpr (values == Values::small) {
        return T(bits % 17);
    } else if constexpr (values == Values::exact_factors) {
        if constexpr (T(-1) > T(0)) return T(bits % (index / 48 + 1) == 0 ? 2 : 1);
        return T(bits % 2 == 0 ? 1 : -1);
    } else if constexpr (!IsFloat<T>::value) {
        return T((bits >> 32) | (values == Values::random ? 0 : 1)) ^ T(values == Values::random ? bits << 32 : 0);
    } else if constexpr (values == Values::factors) {
        return T(bits % 2 == 0 ? 1.0f : -1.0f);
    } else {
        const double unit = double(int(u32(bits >> 32))) * (1.0 / 2147483648.0);
        const double value = values == Values::random ? unit : 1.0 + unit * (1.0 / 1048576.0);
        if constexpr (sizeof(T) == sizeof(double)) {
            return T(value);
        } else {
            return T(float(value));
        }
    }
}

/// Fills an array of n elements.
template <class T, Values values>
__global__ void fill_input(T* to, u64 n, u64 seed) {
    const u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        to[i] = make_element<T, values>(i, seed);
    }
}

}  // namespace redtune
