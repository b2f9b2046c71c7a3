// Loads tiles: whole, partial and misaligned ones, of one array or two. All families use this loader.
#pragma once

#include "kernels_src/clamp_index.cuh"
#include "kernels_src/load_policy.cuh"
#include "kernels_src/reduce_vectors.cuh"

namespace redtune {

/// The vectors of a tile that one thread holds; only operators over pairs use `y`.
template <class P, class L>
struct TileVectors {
    using V = Vector<typename P::Input, L::bytes>;
    static constexpr u32 stride = u32(L::threads) * V::lanes;  // elements between two vectors of a thread
    V x[L::unroll];
    V y[P::Operator::form == Form::of_pairs ? L::unroll : 1] = {};
};

/// The layout of a tile that may be partial, for one thread. The thread's i-th vector has index first + i * L::threads
/// and exists if this index is below `count`. The first `full_steps` vectors of every thread always exist and are not
/// checked; the load addresses of the others are clamped to the last vector.
template <class P, class L, int full_steps, class Index = u32>
struct ClampedTile {
    static constexpr int lanes = TileVectors<P, L>::V::lanes;
    Index first;
    Index count;

    static constexpr bool is_predicated(int) { return false; }
    __device__ Index index(int i) const { return first + Index(i) * L::threads; }
    __device__ bool exists(int i) const { return i < full_steps || index(i) < count; }
    __device__ const typename P::Input* address(const typename P::Input* tile, int i) const {
        if (i < full_steps) return tile + (u64(first) + u64(i) * L::threads) * lanes;
        return tile + clamp_index(index(i), count) * lanes;
    }
};

/// A tile in which all vectors exist. Its base pointer is the address of the thread's first vector.
template <class P, class L>
struct WholeTile : ClampedTile<P, L, L::unroll> {
    __device__ WholeTile() : ClampedTile<P, L, L::unroll>{0, 0} {}
};

/// A tile's worth of elements of a misaligned array. It has one aligned vector less than a tile: the last vector of the
/// last thread is missing, and the load of that vector is predicated. The base pointer is the address of the thread's
/// first vector; `rank` is the thread's index.
template <class P, class L>
struct MisalignedTile {
    bool is_misaligned;
    u32 rank;

    static constexpr bool is_predicated(int i) { return i == L::unroll - 1; }
    __device__ bool exists(int i) const { return !is_predicated(i) || !(is_misaligned && rank == L::threads - 1); }
    __device__ const typename P::Input* address(const typename P::Input* base, int i) const {
        return base + u32(i) * TileVectors<P, L>::stride;
    }
};

/// Issues all loads of this thread's vectors and returns the vectors; a load is waited for only when the caller uses
/// its value. layout: tells which vectors exist and where they are. y_base: the address in the second array that
/// corresponds to `base`; only operators over pairs use it. is_y_misaligned: y_base may be aligned to one element only,
/// so its elements are loaded one by one.
template <class P, class L, class Layout>
__device__ TileVectors<P, L> load_tile(const Layout& layout, const typename P::Input* base,
                                       const typename P::Input* y_base, bool is_y_misaligned) {
    using V = typename TileVectors<P, L>::V;
    TileVectors<P, L> tile;
#pragma unroll
    for (int i = 0; i < L::unroll; ++i) {
        const auto* from = layout.address(base, i);
        tile.x[i] = Layout::is_predicated(i) ? V::load_predicated(layout.exists(i), from) : V::template load<L::path>(from);
        if constexpr (P::Operator::form == Form::of_pairs) {
            const auto* y_from = layout.address(y_base, i);
            tile.y[i] = is_y_misaligned ? V::gather(y_from) : V::template load<L::path>(y_from);
        }
    }
    return tile;
}

/// Reduces the thread's vectors to one value and returns it. index: the index of the thread's first element in the
/// array or row.
template <class P, class L, class Layout>
__device__ typename P::Accumulator reduce_tile(const TileVectors<P, L>& tile, const Layout& layout, u64 index) {
    const auto exists = [&](int i) { return layout.exists(i); };
    return reduce_vectors<P>(tile.x, tile.y, exists, index, TileVectors<P, L>::stride);
}

/// Folds the thread's vectors into its accumulators `sums`. index: as in reduce_tile().
template <class P, class L, class Layout, int count>
__device__ void fold_tile(typename P::Accumulator (&sums)[count], const TileVectors<P, L>& tile, const Layout& layout,
                          u64 index) {
    const auto exists = [&](int i) { return layout.exists(i); };
    fold_vectors<P>(sums, tile.x, tile.y, exists, index, TileVectors<P, L>::stride);
}

}  // namespace redtune
