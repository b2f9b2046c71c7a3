// Operators. An operator is a struct template over input, accumulator and output type:
//   form             the arguments of its transform; inherited from Elementwise, WithIndex or OfPairs
//   identity()       the neutral accumulator
//   transform(x)     returns an input element as an accumulator; (x, index) or (x, y) in the other forms
//   combine(a, b)    returns both accumulators combined; associative and commutative up to rounding
//   finish(a, count) returns the result for the accumulator of `count` elements
// It may declare is_addition, which permits atomic addition, and warp_reduction, the warp-wide instruction that
// combines its accumulators; operator_form.cuh has these and other optional members.
#pragma once

#include "kernels_src/arithmetic_operators.cuh"
#include "kernels_src/logical_operators.cuh"
#include "kernels_src/order_operators.cuh"

namespace redtune {

/// An operator that reduces the partials of Problem's operator: combine() and finish() are inherited from that
/// operator, and transform() returns its argument.
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

/// The problem of reducing the partials that the blocks of a first launch have stored.
template <class P>
using PartialsOf = Problem<PartialsOperator<P>, typename P::Accumulator, typename P::Accumulator, typename P::Output>;

/// Returns the operator's transform of element x at `index`, paired with y; arguments that its form does not use are
/// ignored.
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

/// Returns `before`, the accumulator of earlier elements of the array or row, combined with an element.
template <class Op, class Accumulator, class Input>
__device__ Accumulator fold_element(const Accumulator& before, Input x, Input y, u64 index) {
    if constexpr (Op::has_fold) {
        return Op::fold(before, x, index);
    } else {
        return Op::combine(before, transform_element<Op>(x, y, index));
    }
}

/// Returns element i of the input as an accumulator.
template <class P>
__device__ typename P::Accumulator element(const Arguments<P>& a, u64 i) {
    using Op = typename P::Operator;
    if constexpr (Op::form == Form::of_pairs) {
        return transform_element<Op>(a.input[i], a.second[i], i);
    } else {
        return transform_element<Op>(a.input[i], typename P::Input(), i);
    }
}

/// Returns element i of the input as an accumulator; the identity if there is no such element.
template <class P>
__device__ typename P::Accumulator element_or_identity(const Arguments<P>& a, u64 i) {
    return i < a.n ? element(a, i) : P::Operator::identity();
}

}  // namespace redtune
