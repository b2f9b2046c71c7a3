// Logical and bitwise operators.
#pragma once

#include "kernels_src/operator_form.cuh"

namespace redtune {

/// 1 if some element is not zero, else 0. NaN is not zero. Empty input: 0.
template <class Input, class Accumulator, class Output>
struct Any : Elementwise {
    static constexpr WarpReduction warp_reduction = WarpReduction::bit_or;
    static __device__ Accumulator identity() { return Accumulator(0); }
    static __device__ Accumulator transform(Input x) { return x != Input(0) ? Accumulator(1) : Accumulator(0); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return a | b; }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

/// 1 if no element is zero, else 0. Empty input: 1.
template <class Input, class Accumulator, class Output>
struct All : Any<Input, Accumulator, Output> {
    static constexpr WarpReduction warp_reduction = WarpReduction::bit_and;
    static __device__ Accumulator identity() { return Accumulator(1); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return a & b; }
};

/// Bitwise and of integers. Empty input: all bits set.
template <class Input, class Accumulator, class Output>
struct BitAnd : Elementwise {
    static constexpr WarpReduction warp_reduction = WarpReduction::bit_and;
    static __device__ Accumulator identity() { return Accumulator(~Accumulator(0)); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return a & b; }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

/// Bitwise or of integers. Empty input: 0.
template <class Input, class Accumulator, class Output>
struct BitOr : BitAnd<Input, Accumulator, Output> {
    static constexpr WarpReduction warp_reduction = WarpReduction::bit_or;
    static __device__ Accumulator identity() { return Accumulator(0); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return a | b; }
};

/// Bitwise exclusive or of integers. Empty input: 0.
template <class Input, class Accumulator, class Output>
struct BitXor : BitOr<Input, Accumulator, Output> {
    static constexpr WarpReduction warp_reduction = WarpReduction::bit_xor;
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return a ^ b; }
};

}  // namespace redtune
