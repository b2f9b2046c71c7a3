// Sums, products, means and norms. Floats follow IEEE arithmetic; integers wrap like unsigned integers.
#pragma once

#include "kernels_src/operator_form.cuh"
#include "kernels_src/packed_arithmetic.cuh"

namespace redtune {

// add() and multiply() compute in the unsigned type: signed overflow is undefined in C++, and the unsigned result has
// the same bits.
template <class T>
__device__ T add(T a, T b) {
    using W = typename WrappingType<T>::type;
    return T(W(a) + W(b));
}

template <class T>
__device__ T multiply(T a, T b) {
    using W = typename WrappingType<T>::type;
    return T(W(a) * W(b));
}

template <class T>
__device__ T magnitude(T a) {
    if constexpr (sizeof(T) == sizeof(float) && IsFloat<T>::value) {
        return fabsf(a);
    } else if constexpr (IsFloat<T>::value) {
        return fabs(a);
    } else {
        using W = typename WrappingType<T>::type;
        return a < T(0) ? T(W(0) - W(a)) : a;
    }
}

__device__ inline float square_root(float x) {
    return sqrtf(x);
}
__device__ inline double square_root(double x) {
    return sqrt(x);
}

/// Base of the operators that add accumulators; each derived operator defines its own transform().
template <class Accumulator, class Output>
struct Addition : Elementwise {
    static constexpr bool is_addition = true;
    static constexpr WarpReduction warp_reduction = WarpReduction::add;
    static __device__ Accumulator identity() { return Accumulator(0); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return add(a, b); }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

template <class Input, class Accumulator, class Output>
struct Sum : Addition<Accumulator, Output> {
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }

    /// Adds four bytes per instruction (dp4a).
    template <class V>
    static constexpr bool has_packed_fold = sizeof(Input) == 1;
    template <class V>
    static __device__ Accumulator fold_packed(Accumulator before, const V& vector) {
        if constexpr (Input(-1) < Input(0)) {
            i32 sum = 0;
#pragma unroll
            for (const u32 word : vector.words) sum = add_four(word, sum);
            return add(before, Accumulator(sum));
        } else {
            u32 sum = 0;
#pragma unroll
            for (const u32 word : vector.words) sum = add_four_unsigned(word, sum);
            return add(before, Accumulator(sum));
        }
    }
};

template <class Input, class Accumulator, class Output>
struct Product : Elementwise {
    static __device__ Accumulator identity() { return Accumulator(1); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return multiply(a, b); }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

/// The arithmetic mean. Empty input: NaN.
template <class Input, class Accumulator, class Output>
struct Mean : Sum<Input, Accumulator, Output> {
    static __device__ Output finish(Accumulator a, u64 count) {
        if constexpr (IsFloat<Accumulator>::value) {
            return Output(a / Accumulator(count));
        } else {
            return Output(double(a) / double(count));
        }
    }
};

template <class Input, class Accumulator, class Output>
struct SumOfSquares : Addition<Accumulator, Output> {
    static __device__ Accumulator transform(Input x) { return multiply(Accumulator(x), Accumulator(x)); }
};

/// Sum of absolute values.
template <class Input, class Accumulator, class Output>
struct L1Norm : Addition<Accumulator, Output> {
    static __device__ Accumulator transform(Input x) { return magnitude(Accumulator(x)); }
};

/// Square root of the sum of squares. Elements are not scaled, so their squares may overflow the accumulator.
template <class Input, class Accumulator, class Output>
struct L2Norm : SumOfSquares<Input, Accumulator, Output> {
    static __device__ Output finish(Accumulator a, u64) { return Output(square_root(a)); }
};

/// Sum of products of the elements of two arrays.
template <class Input, class Accumulator, class Output>
struct Dot : Addition<Accumulator, Output> {
    static constexpr Form form = Form::of_pairs;
    static __device__ Accumulator transform(Input x, Input y) { return multiply(Accumulator(x), Accumulator(y)); }
};

}  // namespace redtune
