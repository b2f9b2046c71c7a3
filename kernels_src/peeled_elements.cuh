// Peeled elements: those before an array's first aligned vector (the head) and after its last one (the tail).
#pragma once

#include "kernels_src/load_policy.cuh"
#include "kernels_src/operators.cuh"
#include "kernels_src/vector.cuh"

namespace redtune {

/// A contiguous range of n elements: a whole array, or one row of it.
template <class P>
struct Span {
    const typename P::Input* input;
    const typename P::Input* second;  // for operators over pairs
    u64 n;
};

/// A peeled element. It is loaded before the vectors and folded after them, so that its latency overlaps theirs.
template <class P>
struct PeeledElement {
    typename P::Input x;
    typename P::Input y;
    u64 index;
    bool exists;
};

/// Loads peeled element `k` of a span; the elements of the head come first, then those of the tail. The span has `head`
/// elements, then `vector_elements` elements in vectors, then the tail. `exists` is false in the result if the span has
/// no peeled element `k`.
template <class P>
__device__ PeeledElement<P> load_peeled(const Span<P>& span, u32 head, u64 vector_elements, u32 k) {
    PeeledElement<P> peeled{typename P::Input(), typename P::Input(), k < head ? k : vector_elements + k, false};
    peeled.exists = peeled.index < span.n;
    if (peeled.exists) {
        peeled.x = span.input[peeled.index];
        if constexpr (P::Operator::form == Form::of_pairs) peeled.y = span.second[peeled.index];
    }
    return peeled;
}

template <class P>
__device__ typename P::Accumulator fold_peeled(typename P::Accumulator value, const PeeledElement<P>& peeled) {
    using Op = typename P::Operator;
    return peeled.exists ? Op::combine(value, transform_element<Op>(peeled.x, peeled.y, peeled.index)) : value;
}

/// Upper bound on the number of peeled elements of one array.
template <class P, class L>
constexpr u32 max_peeled = (L::alignment + L::bytes) / int(sizeof(typename P::Input)) - 2;

/// Returns `value` combined with this thread's peeled elements from number L::threads on; thread `rank` has already
/// folded peeled element `rank`. It does nothing unless an array can have more peeled elements than threads.
template <class P, class L>
__device__ typename P::Accumulator fold_remaining_peeled(typename P::Accumulator value, const Span<P>& span, u32 head,
                                                         u64 vector_elements, u32 rank) {
    constexpr u32 threads = L::threads;
    if constexpr (threads < max_peeled<P, L>) {
        for (u32 k = rank + L::threads; k < span.n - vector_elements; k += L::threads) {
            value = fold_peeled<P>(value, load_peeled(span, head, vector_elements, k));
        }
    }
    return value;
}

/// Reduces this thread's part of an array's peeled elements to one value and returns it. All threads of one block call
/// it. The function has a loop although a thread gets at most one element: the branch of the loop stops the compiler
/// from scheduling the address arithmetic before the loads of the vectors.
template <class P, class L>
__device__ typename P::Accumulator reduce_peeled(const Arguments<P>& a) {
    constexpr u32 lanes = Vector<typename P::Input, L::bytes>::lanes;
    const u32 head = misaligned_head<L::alignment>(a.input, a.n);
    const u64 vector_elements = (a.n - head) / lanes * lanes;
    auto value = P::Operator::identity();
#pragma unroll 1
    for (u32 k = threadIdx.x; k < u32(a.n - vector_elements); k += L::threads) {
        value = fold_peeled<P>(value, load_peeled(Span<P>{a.input, a.second, a.n}, head, vector_elements, k));
    }
    return value;
}

}  // namespace redtune
