// Sums, products and norms. Floats: NaN and infinities follow IEEE arithmetic. Integers wrap as unsigned arithmetic does.
#pragma once

#include "kernels_src/operator_form.cuh"

namespace redtune {

// Signed overflow is undefined in C++; the unsigned result has the same bits and is not.
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

template <class Input, class Accumulator, class Output>
struct Sum : Elementwise {
    static constexpr bool is_addition = true;
    static constexpr WarpReduction warp_reduction = WarpReduction::add;
    static __device__ Accumulator identity() { return Accumulator(0); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return add(a, b); }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

template <class Input, class Accumulator, class Output>
struct Product : Elementwise {
    static __device__ Accumulator identity() { return Accumulator(1); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return multiply(a, b); }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

/// NaN for no elements.
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
struct SumOfSquares : Sum<Input, Accumulator, Output> {
    static __device__ Accumulator transform(Input x) { return multiply(Accumulator(x), Accumulator(x)); }
};

/// Sum of magnitudes.
template <class Input, class Accumulator, class Output>
struct L1Norm : Sum<Input, Accumulator, Output> {
    static __device__ Accumulator transform(Input x) { return magnitude(Accumulator(x)); }
};

/// Square root of the sum of squares; squares that overflow the accumulator are not saved by scaling.
template <class Input, class Accumulator, class Output>
struct L2Norm : SumOfSquares<Input, Accumulator, Output> {
    static __device__ Output finish(Accumulator a, u64) { return Output(square_root(a)); }
};

/// Sum of products of the elements of two arrays.
template <class Input, class Accumulator, class Output>
struct Dot : Sum<Input, Accumulator, Output> {
    static constexpr Form form = Form::of_pairs;
    static __device__ Accumulator transform(Input x, Input y) { return multiply(Accumulator(x), Accumulator(y)); }
};

}  // namespace redtune
