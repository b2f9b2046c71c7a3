// What the threads of a block fold that has a whole small array to itself.
#pragma once

#include "kernels_src/accumulate.cuh"

namespace redtune {

/// Some vectors by themselves, of one array. All are folded, and what does not exist is left out behind that: the
/// compiler draws loads that only some threads need the values of into a branch, where they are waited for one by one.
template <class P, class V, int count, class Exists>
__device__ typename P::Accumulator reduce_loaded(const V (&held)[count], Exists exists, u64 index, u64 step) {
    using Op = typename P::Operator;
    if constexpr (Op::template has_vectors_fold<V>) {
        return Op::reduce_vectors(held, index, step);
    } else {
        typename P::Accumulator values[count];
#pragma unroll
        for (int i = 0; i < count; ++i) {
            values[i] = reduce_vector<P>(held[i], V(), index + i * step);
            values[i] = exists(i) ? values[i] : Op::identity();
        }
        return combine_pairs<Op>(values);
    }
}

/// What a thread folds of an array of which only `vectors` vectors exist. It most likely has edges as well, and loads
/// them first, so that nobody waits for them alone.
template <class P, class L>
__device__ typename P::Accumulator fold_few_vectors(const Arguments<P>& a, u32 head, u32 vectors) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, L::bytes>;
    constexpr bool is_of_pairs = Op::form == Form::of_pairs;
    const auto* first = a.input + head;
    const auto* others = a.second + head;
    const bool is_gathered = is_of_pairs && !is_aligned<L::bytes>(others);
    const auto edge = load_edge<P>(Span<P>{a.input, a.second, a.n}, head, vectors * V::lanes, threadIdx.x);
    if (vectors == 0) return fold_edge<P>(Op::identity(), edge);

    V held[L::unroll];
    V other[is_of_pairs ? L::unroll : 1];
#pragma unroll
    for (int i = 0; i < L::unroll; ++i) {
        u32 place = u32(i) * L::threads + threadIdx.x;
        // The last vector in place of those that are not there: loads under a condition would be waited for one by one.
        if (place >= vectors) place = vectors - 1;
        held[i] = V::template load<L::path>(first + place * V::lanes);
        if constexpr (is_of_pairs) {
            const auto* from = others + place * V::lanes;
            other[i] = is_gathered ? V::gather(from) : V::template load<L::path>(from);
        }
    }
    const auto exists = [&](int i) { return u32(i) * L::threads + threadIdx.x < vectors; };
    const u64 index = head + threadIdx.x * V::lanes;
    const u64 step = u64(L::threads) * V::lanes;
    if constexpr (is_of_pairs) return fold_edge<P>(reduce_vectors<P>(held, other, exists, index, step), edge);
    return fold_edge<P>(reduce_loaded<P>(held, exists, index, step), edge);
}

/// A thread's share of an array of which `vectors` vectors exist, those of all steps but the last among them: only the
/// last step's are looked at one by one.
template <class P, class L>
__device__ typename P::Accumulator fold_filled_tile(const Arguments<P>& a, u32 head, u32 vectors) {
    using V = Vector<typename P::Input, L::bytes>;
    constexpr u32 before_last = u32(L::threads) * (L::unroll - 1);
    constexpr u32 step = u32(L::threads) * V::lanes;
    const auto* own = a.input + head + threadIdx.x * V::lanes;
    const u32 last = before_last + threadIdx.x;
    V held[L::unroll];
#pragma unroll
    for (int i = 0; i < L::unroll - 1; ++i) held[i] = V::template load<L::path>(own + i * step);
    // The last vector in place of those that are not there: loads under a condition would be waited for one by one.
    const auto* of_last = a.input + head + (last < vectors ? last : vectors - 1) * V::lanes;
    held[L::unroll - 1] = V::template load<L::path>(of_last);
    const auto edge = load_edge<P>(Span<P>{a.input, a.second, a.n}, head, vectors * V::lanes, threadIdx.x);
    const auto exists = [&](int i) { return i < L::unroll - 1 || last < vectors; };
    return fold_edge<P>(reduce_loaded<P>(held, exists, head + threadIdx.x * V::lanes, step), edge);
}

/// A thread's share of an array of a tile's elements, off alignment: one vector less, and a vector's elements as edges.
/// All loads are issued before the first value is used.
template <class P, class L>
__device__ typename P::Accumulator accumulate_off_alignment(const Arguments<P>& a) {
    constexpr u32 vectors = u32(L::threads) * L::unroll - 1;
    const u32 head = ((0 - u32(reinterpret_cast<u64>(a.input))) & u32(L::bytes - 1)) / u32(sizeof(typename P::Input));
    return fold_filled_tile<P, L>(a, head, vectors);
}

/// A thread's share of any array of at most one tile, all loads issued before the first value is used.
template <class P, class L>
__device__ typename P::Accumulator accumulate_alone(const Arguments<P>& a) {
    using V = Vector<typename P::Input, L::bytes>;
    constexpr u32 before_last = u32(L::threads) * (L::unroll - 1);
    const u32 n = u32(a.n);
    const u32 head = misaligned_head<L::head_bytes>(a.input, n);
    const u32 vectors = (n - head) / V::lanes;
    if (P::Operator::form == Form::of_pairs || vectors <= before_last) return fold_few_vectors<P, L>(a, head, vectors);
    return fold_filled_tile<P, L>(a, head, vectors);
}

}  // namespace redtune
