// Reduces an array of at most one tile with one block, without a loop.
#pragma once

#include "kernels_src/block_tile.cuh"
#include "kernels_src/opaque.cuh"

namespace redtune {

/// True if reduce_single_tile() can reduce a tile's worth of elements at any alignment. That requires an operator over
/// one array that takes elements one by one, and vectors of several elements.
template <class P, class L>
constexpr bool supports_unaligned_tile = [] {
    using V = Vector<typename P::Input, L::bytes>;
    return P::Operator::form != Form::of_pairs && !P::Operator::template has_vectors_fold<V> && V::lanes > 1;
}();

/// Returns the address of this thread's first element if vectors begin at the array's first aligned element. `opaque`
/// hides from the compiler that the result is aligned, so that a kernel can branch on the alignment as well as on n.
/// The compiler then places the fast path directly after the branch; after a branch on n alone it does not.
template <class P, class L>
__device__ const typename P::Input* thread_base_aligned_up(const Arguments<P>& a) {
    using Input = typename P::Input;
    const u64 first = (reinterpret_cast<u64>(a.input) + (L::bytes - 1)) & ~u64(L::bytes - 1);
    return opaque(reinterpret_cast<const Input*>(first) + threadIdx.x * (L::bytes / sizeof(Input)));
}

/// Returns the pointer to pass to reduce_single_tile() as `base`.
template <class P, class L>
__device__ const typename P::Input* single_tile_base(const Arguments<P>& a) {
    if constexpr (supports_unaligned_tile<P, L>) return thread_base_aligned_up<P, L>(a);
    return thread_base<P, L>(a, 0);
}

/// Reduces this thread's part of an array of exactly one tile's elements, at any alignment, to one value and returns
/// it. A misaligned array has one aligned vector less than a tile. The elements of the missing vector are peeled: a
/// thread loads at most one of them. base: from thread_base_aligned_up().
template <class P, class L>
__device__ typename P::Accumulator reduce_misaligned_tile(const Arguments<P>& a, const typename P::Input* base) {
    using V = typename TileVectors<P, L>::V;
    static_assert(V::lanes <= L::threads, "a thread folds at most one peeled element");
    const u32 begin = u32(reinterpret_cast<u64>(a.input));
    const bool is_misaligned = !is_aligned<L::bytes>(a.input);
    const auto tile = load_tile<P, L>(MisalignedTile<P, L>{is_misaligned, threadIdx.x}, base, nullptr, false);
    const u32 head = ((0 - begin) & u32(L::bytes - 1)) / u32(sizeof(typename P::Input));
    PeeledElement<P> peeled{};
    peeled.index = threadIdx.x + (threadIdx.x < head ? 0 : L::unroll * TileVectors<P, L>::stride - V::lanes);
    const auto bits = load_element_predicated(is_misaligned && threadIdx.x < V::lanes, a.input + u32(peeled.index));
    memcpy(&peeled.x, &bits, sizeof(bits));

    // Recomputes the predicates after the loads (`opaque` blocks common-subexpression elimination). If loads and
    // folding shared them, the compiler would compute the load addresses in every thread instead of once for the warp.
    const MisalignedTile<P, L> layout{is_misaligned, opaque(threadIdx.x)};
    peeled.exists = is_misaligned && layout.rank < V::lanes;
    return fold_peeled<P>(reduce_tile<P, L>(tile, layout, u64(base - a.input)), peeled);
}

/// Reduces this thread's part of an array of exactly one tile's elements to one value and returns it. base: from
/// single_tile_base(); it must be aligned.
template <class P, class L>
__device__ typename P::Accumulator reduce_single_tile(const Arguments<P>& a, const typename P::Input* base) {
    if constexpr (supports_unaligned_tile<P, L>) return reduce_misaligned_tile<P, L>(a, base);
    return reduce_whole_tile<P, L>(load_whole_tile<P, L>(a, base), a, base);
}

/// Reduces this thread's part of an array of at most one tile's elements, at any alignment, to one value and returns
/// it.
template <class P, class L>
__device__ typename P::Accumulator reduce_at_most_a_tile(const Arguments<P>& a) {
    constexpr u32 lanes = Vector<typename P::Input, L::bytes>::lanes;
    const u32 n = u32(a.n);
    const u32 head = misaligned_head<L::alignment>(a.input, n);
    const u32 vectors = (n - head) / lanes;
    PeeledElement<P> peeled{};
    const auto value = reduce_partial_tile<P, L>(a, a.input + head, vectors, [&] {
        peeled = load_peeled(Span<P>{a.input, a.second, a.n}, head, vectors * lanes, threadIdx.x);
    });
    return fold_peeled(value, peeled);
}

}  // namespace redtune
