// Smallest and largest values, and where they are.
#pragma once

#include "kernels_src/operator_form.cuh"

namespace redtune {

/// The smallest element. A NaN anywhere gives NaN; of zeros of both signs, either. Nothing: the largest value there is,
/// infinity for floats.
template <class Input, class Accumulator, class Output>
struct Min : Elementwise {
    static __device__ Accumulator identity() { return highest<Accumulator>(); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return a < b || is_nan(a) ? a : b; }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

/// The largest element; otherwise as Min.
template <class Input, class Accumulator, class Output>
struct Max : Elementwise {
    static __device__ Accumulator identity() { return lowest<Accumulator>(); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return a > b || is_nan(a) ? a : b; }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

constexpr u64 no_index = ~u64(0);

/// A value and its place in the array or row.
template <class T>
struct alignas(16) Indexed {
    T value;
    u64 index;
};

/// Where the smallest element is; of equals, the lowest index. The first NaN counts as smaller than any number.
/// Nothing: no_index.
template <class Input, class Accumulator, class Output>
struct Argmin : WithIndex {
    static __device__ Accumulator identity() { return {highest<decltype(Accumulator::value)>(), no_index}; }
    static __device__ Accumulator transform(Input x, u64 index) {
        return {decltype(Accumulator::value)(x), index};
    }
    static __device__ Accumulator combine(const Accumulator& a, const Accumulator& b) {
        if (is_nan(a.value) != is_nan(b.value)) return is_nan(a.value) ? a : b;
        if (a.value < b.value) return a;
        if (b.value < a.value) return b;
        return a.index < b.index ? a : b;
    }
    static __device__ Output finish(const Accumulator& a, u64) { return Output(a.index); }
};

/// Where the largest element is; otherwise as Argmin.
template <class Input, class Accumulator, class Output>
struct Argmax : WithIndex {
    static __device__ Accumulator identity() { return {lowest<decltype(Accumulator::value)>(), no_index}; }
    static __device__ Accumulator transform(Input x, u64 index) {
        return {decltype(Accumulator::value)(x), index};
    }
    static __device__ Accumulator combine(const Accumulator& a, const Accumulator& b) {
        if (is_nan(a.value) != is_nan(b.value)) return is_nan(a.value) ? a : b;
        if (a.value > b.value) return a;
        if (b.value > a.value) return b;
        return a.index < b.index ? a : b;
    }
    static __device__ Output finish(const Accumulator& a, u64) { return Output(a.index); }
};

}  // namespace redtune
