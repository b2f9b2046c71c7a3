// What the threads of a block fold that has a whole small array to itself.
#pragma once

#include "kernels_src/accumulate.cuh"
#include "kernels_src/opaque.cuh"

namespace redtune {

/// Whether arrays of just a tile are folded in the same way at any alignment, by reduce_single_tile(). Operators that
/// look at many vectors at once, or at two arrays, have no such way.
template <class P, class L>
constexpr bool supports_unaligned_tile = [] {
    using V = Vector<typename P::Input, L::bytes>;
    return P::Operator::form != Form::of_pairs && !P::Operator::template has_vectors_fold<V> && V::lanes > 1;
}();

/// This thread's first element, where vectors begin with the first that is aligned. The compiler does not know that it
/// is aligned, so that a kernel can ask: a branch on the address that the loads wait for anyway costs nothing, and what
/// follows lies right behind it. Behind a branch on n alone it lies elsewhere.
template <class P, class L>
__device__ const typename P::Input* thread_base_aligned_up(const Arguments<P>& a) {
    using Input = typename P::Input;
    const u64 first = (reinterpret_cast<u64>(a.input) + (L::bytes - 1)) & ~u64(L::bytes - 1);
    return opaque(reinterpret_cast<const Input*>(first) + threadIdx.x * (L::bytes / sizeof(Input)));
}

/// A thread's share of an array of just a tile's elements. Off alignment there is one vector less, and a vector's
/// elements are edges. All loads are issued before the first value is used. own: of thread_base_aligned_up().
template <class P, class L>
__device__ typename P::Accumulator reduce_single_tile(const Arguments<P>& a, const typename P::Input* own) {
    using V = Vector<typename P::Input, L::bytes>;
    constexpr u32 step = u32(L::threads) * V::lanes;
    constexpr int last = L::unroll - 1;
    static_assert(V::lanes <= L::threads, "a thread has one edge");

    const u32 begin = u32(reinterpret_cast<u64>(a.input));
    const bool is_off_alignment = !is_aligned<L::bytes>(a.input);
    V held[L::unroll];
#pragma unroll
    for (int i = 0; i < last; ++i) held[i] = V::template load<L::path>(own + i * step);
    held[last] = V::load_if_there(!(is_off_alignment && threadIdx.x == L::threads - 1), own + last * step);
    const u32 head = ((0 - begin) & u32(L::bytes - 1)) / u32(sizeof(typename P::Input));
    PeeledElement<P> edge{};
    edge.index = threadIdx.x + (threadIdx.x < head ? 0 : L::unroll * step - V::lanes);
    const auto bits = load_element_if(is_off_alignment && threadIdx.x < V::lanes, a.input + u32(edge.index));
    memcpy(&edge.x, &bits, sizeof(bits));

    // Compared anew behind the loads: with one comparison for both the compiler finds the loads' addresses in every
    // thread, in place of once for the warp.
    const u32 rank = opaque(threadIdx.x);
    edge.is_there = is_off_alignment && rank < V::lanes;
    const auto exists = [&](int i) { return i < last || !(is_off_alignment && rank == L::threads - 1); };
    return fold_edge<P>(reduce_vectors<P>(held, held, exists, u64(own - a.input), step), edge);
}

/// A thread's share of any array of at most one tile, all loads issued before the first value is used.
template <class P, class L>
__device__ typename P::Accumulator accumulate_alone(const Arguments<P>& a) {
    constexpr u32 lanes = Vector<typename P::Input, L::bytes>::lanes;
    const u32 n = u32(a.n);
    const u32 head = misaligned_head<L::head_bytes>(a.input, n);
    const u32 vectors = (n - head) / lanes;
    const auto* first = a.input + head;
    PeeledElement<P> edge{};
    const auto meanwhile = [&] {
        edge = load_edge(Span<P>{a.input, a.second, a.n}, head, vectors * lanes, threadIdx.x);
    };
    auto value = P::Operator::identity();
    if (vectors > u32(L::threads) * (L::unroll - 1)) {
        value = fold_part_of_tile<P, L, true>(a, first, vectors, meanwhile);
    } else if (vectors > 0) {
        value = fold_part_of_tile<P, L, false>(a, first, vectors, meanwhile);
    } else {
        meanwhile();
    }
    return fold_edge(value, edge);
}

}  // namespace redtune
