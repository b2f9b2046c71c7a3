// Folds the elements of loaded vectors into accumulators, or reduces them to one value.
#pragma once

#include "kernels_src/operators.cuh"
#include "kernels_src/vector.cuh"

namespace redtune {

/// The number of independent accumulators of a thread, which hide the latency of combining. It is `most`, but no more
/// than the elements of one step, and at most 2 if an accumulator has more than 8 bytes, to save registers. Operators
/// with has_vectors_fold have one.
template <class P, int bytes, int unroll, int most>
constexpr int accumulator_count = [] {
    using V = Vector<typename P::Input, bytes>;
    if (P::Operator::template has_vectors_fold<V>) return 1;
    constexpr int affordable = sizeof(typename P::Accumulator) > 8 && most > 2 ? 2 : most;
    constexpr int elements = V::lanes * unroll;
    return elements < affordable ? elements : affordable;
}();

/// Folds the elements of vector `i` of a step into the accumulators in turn. index: the index of the vector's first
/// element.
template <class P, class V, int count>
__device__ void fold_vector(typename P::Accumulator (&sums)[count], int i, const V& x, const V& y, u64 index) {
    using Op = typename P::Operator;
    if constexpr (Op::template has_packed_fold<V>) {
        auto& sum = sums[i % count];
        sum = Op::fold_packed(sum, x);
    } else {
#pragma unroll
        for (int lane = 0; lane < V::lanes; ++lane) {
            auto second = typename P::Input();
            if constexpr (Op::form == Form::of_pairs) second = y.lane(lane);
            auto& sum = sums[(i * V::lanes + lane) % count];
            sum = fold_element<Op>(sum, x.lane(lane), second, index + lane);
        }
    }
}

/// Folds the vectors x[i] (paired with y[i]) for which exists(i) is true into the accumulators. The vectors are
/// `stride` elements apart; the first element of x[0] has index `index`. Operators with has_vectors_fold combine all of
/// x: for them, x[i] must be a copy of the last existing vector if exists(i) is false.
template <class P, class V, int vectors, int y_vectors, int count, class Exists>
__device__ void fold_vectors(typename P::Accumulator (&sums)[count], const V (&x)[vectors], const V (&y)[y_vectors],
                             Exists exists, u64 index, u64 stride) {
    using Op = typename P::Operator;
    if constexpr (Op::template has_vectors_fold<V>) {
        sums[0] = Op::fold_vectors(sums[0], x, index, stride);
    } else {
#pragma unroll
        for (int i = 0; i < vectors; ++i) {
            if (exists(i)) fold_vector<P>(sums, i, x[i], y[i % y_vectors], index + i * stride);
        }
    }
}

/// Combines all values as a balanced tree, which has the shortest chain of dependent instructions, and returns the
/// result. Overwrites the array.
template <class Op, class Accumulator, int count>
__device__ Accumulator combine_tree(Accumulator (&values)[count]) {
#pragma unroll
    for (int stride = 1; stride < count; stride *= 2) {
#pragma unroll
        for (int i = 0; i + stride < count; i += 2 * stride) values[i] = Op::combine(values[i], values[i + stride]);
    }
    return values[0];
}

/// Combines all values one after the other, from the first to the last, and returns the result.
template <class Op, class Accumulator, int count>
__device__ Accumulator combine_in_order(const Accumulator (&sums)[count]) {
    Accumulator sum = sums[0];
#pragma unroll
    for (int i = 1; i < count; ++i) sum = Op::combine(sum, sums[i]);
    return sum;
}

/// Reduces the elements of one vector to one value and returns it. index: the index of the vector's first element.
template <class P, class V>
__device__ typename P::Accumulator reduce_vector(const V& x, const V& y, u64 index) {
    using Op = typename P::Operator;
    if constexpr (Op::template has_packed_fold<V>) {
        return Op::fold_packed(Op::identity(), x);
    } else {
        const auto second = [&](int lane) {
            if constexpr (Op::form == Form::of_pairs) return y.lane(lane);
            return typename P::Input();
        };
        if constexpr (Op::has_fold) {
            auto sum = transform_element<Op>(x.lane(0), second(0), index);
#pragma unroll
            for (int lane = 1; lane < V::lanes; ++lane) {
                sum = fold_element<Op>(sum, x.lane(lane), second(lane), index + lane);
            }
            return sum;
        } else {
            typename P::Accumulator values[V::lanes];
#pragma unroll
            for (int lane = 0; lane < V::lanes; ++lane) {
                values[lane] = transform_element<Op>(x.lane(lane), second(lane), index + lane);
            }
            return combine_tree<Op>(values);
        }
    }
}

/// Reduces the vectors x[i] for which exists(i) is true to one value and returns it; the arguments are those of
/// fold_vectors(). All vectors are reduced, and the results of missing ones are replaced by the identity. If missing
/// vectors were skipped instead, the compiler would sink their loads into the branch and wait for them one by one.
template <class P, class V, int vectors, int y_vectors, class Exists>
__device__ typename P::Accumulator reduce_vectors(const V (&x)[vectors], const V (&y)[y_vectors], Exists exists,
                                                  u64 index, u64 stride) {
    using Op = typename P::Operator;
    if constexpr (Op::template has_vectors_fold<V>) {
        return Op::reduce_vectors(x, index, stride);
    } else {
        typename P::Accumulator values[vectors];
#pragma unroll
        for (int i = 0; i < vectors; ++i) {
            values[i] = reduce_vector<P>(x[i], y[i % y_vectors], index + i * stride);
            values[i] = exists(i) ? values[i] : Op::identity();
        }
        return combine_tree<Op>(values);
    }
}

}  // namespace redtune
