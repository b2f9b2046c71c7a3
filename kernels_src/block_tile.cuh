// Reduces one tile per block without a loop, so that all loads of a thread are in flight at once.
#pragma once

#include "kernels_src/peeled_elements.cuh"
#include "kernels_src/tile.cuh"

namespace redtune {

/// Returns the address of this thread's first element in tile `tile`, if the tiles begin at the array's first element.
template <class P, class L>
__device__ const typename P::Input* thread_base(const Arguments<P>& a, u32 tile) {
    constexpr u32 lanes = Vector<typename P::Input, L::bytes>::lanes;
    return a.input + u64(tile * (u32(L::threads) * L::unroll) + threadIdx.x) * lanes;
}

/// Returns whether all tiles of the grid are whole and aligned. base: from thread_base(). The alignment of `base` is
/// tested instead of that of the array, so that the address of the loads has been computed when the branch is decided.
/// Comparing the lower 32 bits of the element counts suffices, because the grid has at most as many tiles as n needs,
/// plus those that rounding up to whole clusters adds.
template <class P, class L>
__device__ bool are_all_tiles_whole(const Arguments<P>& a, const typename P::Input* base) {
    constexpr u32 elements = u32(L::threads) * L::unroll * L::bytes / sizeof(typename P::Input);
    return (u32(a.n) == gridDim.x * elements) & is_aligned<L::bytes>(base);
}

/// Loads this thread's vectors of a whole tile. base: the address of this thread's first element in the tile.
template <class P, class L>
__device__ TileVectors<P, L> load_whole_tile(const Arguments<P>& a, const typename P::Input* base) {
    const auto* y_base = a.second + (base - a.input);
    return load_tile<P, L>(WholeTile<P, L>(), base, y_base, !is_aligned<L::bytes>(y_base));
}

/// Reduces the vectors that load_whole_tile() has loaded to one value and returns it.
template <class P, class L>
__device__ typename P::Accumulator reduce_whole_tile(const TileVectors<P, L>& tile, const Arguments<P>& a,
                                                     const typename P::Input* base) {
    return reduce_tile<P, L>(tile, WholeTile<P, L>(), u64(base - a.input));
}

/// Reduces this thread's part of the first `vectors` vectors of an aligned tile to one value and returns it; `vectors`
/// may be 0. Calls overlapped() after the loads are issued and before a loaded value is used.
template <class P, class L, class Overlapped>
__device__ typename P::Accumulator reduce_partial_tile(const Arguments<P>& a, const typename P::Input* tile, u32 vectors,
                                                       const Overlapped& overlapped) {
    constexpr u32 lanes = Vector<typename P::Input, L::bytes>::lanes;
    const auto* y_tile = tile + (a.second - a.input);
    const auto reduce = [&](const auto& layout) {
        const auto loaded = load_tile<P, L>(layout, tile, y_tile, !is_aligned<L::bytes>(y_tile));
        overlapped();
        return reduce_tile<P, L>(loaded, layout, u64(tile + threadIdx.x * lanes - a.input));
    };
    // Common case: only the last vector of a thread may be missing. This includes an array of one tile's elements that
    // is misaligned, because it has one aligned vector less than a tile.
    if (vectors > u32(L::threads) * (L::unroll - 1)) return reduce(ClampedTile<P, L, L::unroll - 1>{threadIdx.x, vectors});
    if (vectors > 0) return reduce(ClampedTile<P, L, 0>{threadIdx.x, vectors});
    overlapped();
    return P::Operator::identity();
}

/// Reduces this thread's part of tile `tile` of an array of any length and alignment to one value and returns it. Tile
/// `last` is the last one of the grid; its block also folds the peeled elements. has_empty_tiles: some tiles may begin
/// after the end of the array, because the grid is rounded up to whole clusters.
template <class P, class L, bool has_empty_tiles>
__device__ typename P::Accumulator reduce_tile_of_any_array(const Arguments<P>& a, u32 tile, u32 last) {
    using Op = typename P::Operator;
    using Input = typename P::Input;
    constexpr u32 tile_bytes = u32(L::threads) * L::unroll * L::bytes;
    static_assert(max_peeled<P, L> <= L::threads, "a thread folds at most one peeled element");

    // The addresses are computed before everything else, so that the loads are issued early.
    const u64 begin = reinterpret_cast<u64>(a.input);
    const u64 first = ((begin + (L::alignment - 1)) & ~u64(L::alignment - 1)) + u64(tile) * tile_bytes;
    const auto* elements = reinterpret_cast<const Input*>(first);
    // Tiles begin after the head. The last tile may therefore be empty, and the one before it partial.
    if (!has_empty_tiles && tile + 1 < last) {
        const auto* base = elements + threadIdx.x * (L::bytes / sizeof(Input));
        return reduce_whole_tile<P, L>(load_whole_tile<P, L>(a, base), a, base);
    }
    const i64 bytes_left = i64(begin + a.n * sizeof(Input) - first);
    const u32 vectors = bytes_left > 0 ? u32(bytes_left < tile_bytes ? bytes_left : tile_bytes) / L::bytes : 0;
    auto peeled = Op::identity();
    const auto value = reduce_partial_tile<P, L>(a, elements, vectors, [&] {
        if (tile == last) peeled = reduce_peeled<P, L>(a);
    });
    return Op::combine(peeled, value);
}

}  // namespace redtune
