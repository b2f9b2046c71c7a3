// Operators. Each is a struct template over input, accumulator and output type:
//   form             which transform it has; inherited from Elementwise, WithIndex or OfPairs
//   identity()       the accumulator that changes nothing
//   transform(x)     an input element as an accumulator; (x, index) or (x, y) in the other forms
//   combine(a, b)    two accumulators as one; associative and commutative up to rounding
//   finish(a, count) the accumulator of `count` elements as the result
// One whose combine() is + says so (is_addition), which lets it use the hardware's atomic addition; one that the
// hardware can do to the 32-bit integers of a warp says which (warp_reduction).
#pragma once

#include "kernels_src/arithmetic_operators.cuh"
#include "kernels_src/logical_operators.cuh"
#include "kernels_src/order_operators.cuh"

namespace redtune {

/// The same operator over its own partials.
template <class Problem>
struct PartialsOperator : Problem::Operator {
    static constexpr Form form = Form::elementwise;
    static constexpr bool has_fold = false;
    template <class V>
    static constexpr bool has_packed_fold = false;
    template <class V>
    static constexpr bool has_vectors_fold = false;
    using Accumulator = typename Problem::Accumulator;
    static __device__ Accumulator transform(Accumulator partial) { return partial; }
};

/// The problem that is left when every block has written a partial.
template <class P>
using PartialsOf = Problem<PartialsOperator<P>, typename P::Accumulator, typename P::Accumulator, typename P::Output>;

/// Element x, in pairs with y, at an index: as the operator's own transform takes it.
template <class Op, class Input>
__device__ auto transform_element(Input x, Input y, u64 index) {
    if constexpr (Op::form == Form::with_index) {
        return Op::transform(x, index);
    } else if constexpr (Op::form == Form::of_pairs) {
        return Op::transform(x, y);
    } else {
        return Op::transform(x);
    }
}

/// An element folded into what came before it in the array or row.
template <class Op, class Accumulator, class Input>
__device__ Accumulator fold_element(const Accumulator& before, Input x, Input y, u64 index) {
    if constexpr (Op::has_fold) {
        return Op::fold(before, x, index);
    } else {
        return Op::combine(before, transform_element<Op>(x, y, index));
    }
}

/// Element i of the input as an accumulator.
template <class P>
__device__ typename P::Accumulator element(const Arguments<P>& a, u64 i) {
    using Op = typename P::Operator;
    if constexpr (Op::form == Form::of_pairs) {
        return transform_element<Op>(a.input[i], a.second[i], i);
    } else {
        return transform_element<Op>(a.input[i], typename P::Input(), i);
    }
}

/// The same, and the identity from n on.
template <class P>
__device__ typename P::Accumulator element_or_identity(const Arguments<P>& a, u64 i) {
    return i < a.n ? element(a, i) : P::Operator::identity();
}

}  // namespace redtune
