// Operators. Each is a struct of four functions:
//   identity()      the accumulator that changes nothing
//   transform(x)    an input element as an accumulator
//   combine(a, b)   two accumulators as one; associative and commutative up to rounding
//   finish(a)       the accumulator as the result
#pragma once

#include "kernels_src/problem.cuh"

namespace redtune {

/// Sum. Floats: NaN and infinities follow IEEE addition. Integers wrap as unsigned arithmetic does.
template <class Input, class Accumulator, class Output>
struct Sum {
    static __device__ Accumulator identity() { return Accumulator(0); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return a + b; }
    static __device__ Output finish(Accumulator a) { return Output(a); }
};

template <>
struct Sum<int, int, int> {
    static __device__ int identity() { return 0; }
    static __device__ int transform(int x) { return x; }
    // Signed overflow is undefined in C++; the unsigned sum has the same bits and is not.
    static __device__ int combine(int a, int b) { return int(u32(a) + u32(b)); }
    static __device__ int finish(int a) { return a; }
};

/// The same operator over its own partials.
template <class Problem>
struct PartialsOperator : Problem::Operator {
    using Accumulator = typename Problem::Accumulator;
    static __device__ Accumulator transform(Accumulator partial) { return partial; }
};

/// The problem that is left when every block has written a partial.
template <class P>
using PartialsOf =
    Problem<PartialsOperator<P>, typename P::Accumulator, typename P::Accumulator, typename P::Output>;

}  // namespace redtune
