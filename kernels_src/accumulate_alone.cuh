// What the threads of a block fold that has a whole small array to itself.
#pragma once

#include "kernels_src/accumulate.cuh"

namespace redtune {

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
