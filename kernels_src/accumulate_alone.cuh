// What the threads of a block fold that has a whole small array to itself.
#pragma once

#include "kernels_src/accumulate.cuh"

namespace redtune {

/// What a thread folds of a tile of which only `vectors` vectors exist. It most likely has edges as well, and loads
/// them first, so that nobody waits for them alone.
template <class P, class L, class Meanwhile>
__device__ typename P::Accumulator fold_partial_tile(const Arguments<P>& a, const typename P::Input* tile, u32 vectors,
                                                     bool is_last, const Meanwhile& meanwhile) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, L::bytes>;
    constexpr bool is_of_pairs = Op::form == Form::of_pairs;
    const auto* others = a.second + (tile - a.input);
    const bool is_gathered = is_of_pairs && !is_aligned<L::bytes>(others);

    const u32 head = misaligned_head<L::head_bytes>(a.input, a.n);
    const u64 vector_elements = (a.n - head) / V::lanes * V::lanes;
    const auto edge = load_edge<P>(Span<P>{a.input, a.second, a.n}, head, vector_elements, threadIdx.x, is_last);

    V held[L::unroll];
    V other[is_of_pairs ? L::unroll : 1];
    if (vectors > 0) {
#pragma unroll
        for (int i = 0; i < L::unroll; ++i) {
            u32 place = u32(i) * L::threads + threadIdx.x;
            // The last vector in place of those that are not there: loads under a condition would be waited for one by
            // one.
            if (place >= vectors) place = vectors - 1;
            held[i] = V::template load<L::path>(tile + place * V::lanes);
            if constexpr (is_of_pairs) {
                const auto* from = others + place * V::lanes;
                other[i] = is_gathered ? V::gather(from) : V::template load<L::path>(from);
            }
        }
    }
    meanwhile();
    const auto exists = [&](int i) { return u32(i) * L::threads + threadIdx.x < vectors; };
    const u64 index = u64(tile - a.input) + threadIdx.x * V::lanes;
    return fold_edge<P>(reduce_vectors<P>(held, other, exists, index, L::threads * V::lanes), edge);
}

/// A thread's share of an array of at most one tile, all loads issued before the first value is used. Where all steps
/// but the last are whole, as they are for most n of which the tuner chose the tile, only the last step's vectors are
/// looked at one by one: a pointer off alignment takes a vector away and no time.
template <class P, class L>
__device__ typename P::Accumulator accumulate_alone(const Arguments<P>& a) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, L::bytes>;
    constexpr u32 before_last = u32(L::threads) * (L::unroll - 1);
    const u32 n = u32(a.n);
    const u32 head = misaligned_head<L::head_bytes>(a.input, n);
    const u32 vectors = (n - head) / V::lanes;
    const auto* first = a.input + head;
    if (Op::form == Form::of_pairs || vectors <= before_last) {
        return fold_partial_tile<P, L>(a, first, vectors, true, [] {});
    }
    const auto* own = first + threadIdx.x * V::lanes;
    const u32 last = before_last + threadIdx.x;
    V held[L::unroll];
#pragma unroll
    for (int i = 0; i < L::unroll - 1; ++i) held[i] = V::template load<L::path>(own + i * L::threads * V::lanes);
    // The last vector in place of those that are not there: loads under a condition would be waited for one by one.
    held[L::unroll - 1] = V::template load<L::path>(first + (last < vectors ? last : vectors - 1) * V::lanes);
    const auto edge = load_edge<P>(Span<P>{a.input, a.second, n}, head, vectors * V::lanes, threadIdx.x);

    const V none[1] = {};
    const auto exists = [&](int i) { return i < L::unroll - 1 || last < vectors; };
    const u64 index = head + threadIdx.x * V::lanes;
    return fold_edge<P>(reduce_vectors<P>(held, none, exists, index, u64(L::threads) * V::lanes), edge);
}

}  // namespace redtune
