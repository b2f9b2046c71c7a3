// The elements of one load folded into a thread's accumulators.
#pragma once

#include "kernels_src/load.cuh"
#include "kernels_src/operators.cuh"

namespace redtune {

/// Independent accumulators of a thread, which hide the latency of combining: `most`, but no more than it has elements
/// at a time, nor than pay for their registers.
template <class P, int bytes, int unroll, int most>
constexpr int chains = [] {
    using V = Vector<typename P::Input, bytes>;
    if (P::Operator::template has_vectors_fold<V>) return 1;
    constexpr int affordable = sizeof(typename P::Accumulator) > 8 && most > 2 ? 2 : most;
    constexpr int elements = V::lanes * unroll;
    return elements < affordable ? elements : affordable;
}();

/// Folds vector `place` of a step, whose first element has the given index, into the accumulators whose turn it is.
template <class P, class V, int count>
__device__ void fold_vector(typename P::Accumulator (&sums)[count], int place, const V& held, const V& other,
                            u64 index) {
    using Op = typename P::Operator;
    if constexpr (Op::template has_packed_fold<V>) {
        auto& sum = sums[place % count];
        sum = Op::fold_packed(sum, held);
    } else {
#pragma unroll
        for (int lane = 0; lane < V::lanes; ++lane) {
            auto y = typename P::Input();
            if constexpr (Op::form == Form::of_pairs) y = other.lane(lane);
            auto& sum = sums[(place * V::lanes + lane) % count];
            sum = fold_element<Op>(sum, held.lane(lane), y, index + lane);
        }
    }
}

/// Folds those of some vectors that exist(i), `step` elements apart, into the accumulators. The first one's element is
/// element `index`. What stands in for others is a copy of the last one of all threads.
template <class P, class V, int vectors, int others, int count, class Exists>
__device__ void fold_vectors(typename P::Accumulator (&sums)[count], const V (&held)[vectors], const V (&other)[others],
                             Exists exists, u64 index, u64 step) {
    using Op = typename P::Operator;
    if constexpr (Op::template has_vectors_fold<V>) {
        sums[0] = Op::fold_vectors(sums[0], held, index, step);
    } else {
#pragma unroll
        for (int i = 0; i < vectors; ++i) {
            if (exists(i)) fold_vector<P>(sums, i, held[i], other[i % others], index + i * step);
        }
    }
}

/// The first of some accumulators becomes all of them combined, in pairs.
template <class Op, class Accumulator, int count>
__device__ Accumulator combine_pairs(Accumulator (&values)[count]) {
#pragma unroll
    for (int stride = 1; stride < count; stride *= 2) {
#pragma unroll
        for (int i = 0; i + stride < count; i += 2 * stride) values[i] = Op::combine(values[i], values[i + stride]);
    }
    return values[0];
}

/// A vector by itself.
template <class P, class V>
__device__ typename P::Accumulator reduce_vector(const V& held, const V& other, u64 index) {
    using Op = typename P::Operator;
    if constexpr (Op::template has_packed_fold<V>) {
        return Op::fold_packed(Op::identity(), held);
    } else {
        const auto second = [&](int lane) {
            if constexpr (Op::form == Form::of_pairs) return other.lane(lane);
            return typename P::Input();
        };
        if constexpr (Op::has_fold) {
            auto sum = transform_element<Op>(held.lane(0), second(0), index);
#pragma unroll
            for (int lane = 1; lane < V::lanes; ++lane) {
                sum = fold_element<Op>(sum, held.lane(lane), second(lane), index + lane);
            }
            return sum;
        } else {
            typename P::Accumulator values[V::lanes];
#pragma unroll
            for (int lane = 0; lane < V::lanes; ++lane) {
                values[lane] = transform_element<Op>(held.lane(lane), second(lane), index + lane);
            }
            return combine_pairs<Op>(values);
        }
    }
}

/// Some vectors by themselves; otherwise as fold_vectors(). All are folded, and what does not exist is left out behind
/// that: the compiler draws loads that only some threads need the values of into a branch, where they are waited for
/// one by one.
template <class P, class V, int vectors, int others, class Exists>
__device__ typename P::Accumulator reduce_vectors(const V (&held)[vectors], const V (&other)[others], Exists exists,
                                                  u64 index, u64 step) {
    using Op = typename P::Operator;
    if constexpr (Op::template has_vectors_fold<V>) {
        return Op::reduce_vectors(held, index, step);
    } else {
        typename P::Accumulator values[vectors];
#pragma unroll
        for (int i = 0; i < vectors; ++i) {
            values[i] = reduce_vector<P>(held[i], other[i % others], index + i * step);
            values[i] = exists(i) ? values[i] : Op::identity();
        }
        return combine_pairs<Op>(values);
    }
}

template <class Op, class Accumulator, int count>
__device__ Accumulator combine_chains(const Accumulator (&sums)[count]) {
    Accumulator sum = sums[0];
#pragma unroll
    for (int i = 1; i < count; ++i) sum = Op::combine(sum, sums[i]);
    return sum;
}

}  // namespace redtune
