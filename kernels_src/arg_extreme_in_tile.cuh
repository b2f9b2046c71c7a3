// Finds the position of a tile's smallest or largest element with one block.
#pragma once

#include "kernels_src/block_tile.cuh"
#include "kernels_src/combine_block.cuh"

namespace redtune {

/// True if arg_extreme_in_tile() supports the problem: the operator is argmin or argmax with 32-bit keys, and the
/// hardware has a warp-wide minimum (redux.sync).
template <class P>
constexpr bool has_arg_extreme_in_tile = [] {
    if constexpr (P::Operator::warp_reduction == WarpReduction::arg_min) {
        return sizeof(typename P::Operator::Key) == sizeof(u32) && has_warp_reduction<Min<u32, u32, u32>, u32>();
    }
    return false;
}();

/// The elements of a tile that one thread holds, with their offsets in the tile.
template <class P, class L>
struct ArgTile {
    using V = typename TileVectors<P, L>::V;
    TileVectors<P, L> vectors;
    PeeledElement<P> peeled;
    u32 head;         // elements of the tile before its first vector
    bool has_peeled;  // whether the tile has peeled elements; the same in all threads
    bool has_vectors;  // whether the tile has vectors; the same in all threads

    /// Returns the offset in the tile of element i of the thread's vectors.
    __device__ u32 offset_of(u32 i) const {
        return head + (i / V::lanes * L::threads + threadIdx.x) * V::lanes + i % V::lanes;
    }
};

/// Loads a tile in which all vectors exist and are aligned. base: from thread_base().
template <class P, class L>
__device__ ArgTile<P, L> load_whole_arg_tile(const typename P::Input* base) {
    ArgTile<P, L> tile;
    tile.head = 0;
    tile.has_peeled = false;
    tile.has_vectors = true;
    tile.peeled.exists = false;
    tile.vectors = load_tile<P, L>(WholeTile<P, L>(), base, nullptr, false);
    return tile;
}

/// Loads n elements, at most a tile, of any alignment.
template <class P, class L>
__device__ ArgTile<P, L> load_arg_tile(const typename P::Input* input, u32 n) {
    static_assert(max_peeled<P, L> <= L::threads, "a thread folds at most one peeled element");
    constexpr u32 lanes = ArgTile<P, L>::V::lanes;
    ArgTile<P, L> tile;
    tile.head = misaligned_head<L::bytes>(input, n);
    const u32 vectors = (n - tile.head) / lanes;
    tile.has_peeled = vectors * lanes != n;
    tile.has_vectors = vectors != 0;
    tile.peeled.exists = false;
    if (tile.has_peeled) {
        tile.peeled = load_peeled(Span<P>{input, nullptr, n}, tile.head, vectors * lanes, threadIdx.x);
    }
    if (tile.has_vectors) {
        const ClampedTile<P, L, 0> layout{threadIdx.x, vectors};
        tile.vectors = load_tile<P, L>(layout, input + tile.head, nullptr, false);
    }
    return tile;
}

/// True if a key and an offset fit in one 32-bit word and the block has few warps. Each thread then packs its lowest
/// key and the offset of that key into one word, and the block takes the minimum of these words. Otherwise the block
/// finds the lowest key first, and only the warps that have that key search for its offset.
template <class P, class L>
constexpr bool packs_key_and_offset = [] {
    constexpr u32 tile_bytes = u32(L::threads) * L::unroll * L::bytes;
    return has_half_keys<typename P::Input> && L::threads <= 256 && tile_bytes < (1 << 16) * sizeof(typename P::Input);
}();

/// Returns a word with this thread's lowest key in its upper half and the lowest offset that has this key in its lower
/// half.
template <class P, class L>
__device__ u32 lowest_key_and_offset(const ArgTile<P, L>& tile) {
    using Op = typename P::Operator;
    u32 lowest = ~u32(0);
    if (tile.has_vectors) {
        const u32 key = Op::lowest_key(tile.vectors.x);
        lowest = key << 16 | tile.offset_of(Op::find_key(key, tile.vectors.x));
    }
    if (tile.has_peeled && tile.peeled.exists) {
        const u32 of_peeled = Op::key_of(tile.peeled.x) << 16 | u32(tile.peeled.index);
        lowest = of_peeled < lowest ? of_peeled : lowest;
    }
    return lowest;
}

/// Returns the lowest key of this thread's elements; all bits are set if the thread has no elements.
template <class P, class L>
__device__ u32 lowest_key(const ArgTile<P, L>& tile) {
    using Op = typename P::Operator;
    u32 key = ~u32(0);
    if (tile.has_vectors) key = Op::lowest_key(tile.vectors.x);
    if (tile.has_peeled && tile.peeled.exists) {
        const u32 of_peeled = Op::key_of(tile.peeled.x);
        key = of_peeled < key ? of_peeled : key;
    }
    return key;
}

/// Returns the lowest offset of this thread's elements that have the key; `not_found` if there is none.
template <class P, class L>
__device__ u32 find_key(const ArgTile<P, L>& tile, u32 key) {
    using Op = typename P::Operator;
    u32 offset = not_found;
    if (tile.has_vectors) {
        const u32 i = Op::find_key(key, tile.vectors.x);
        if (i != not_found) offset = tile.offset_of(i);
    }
    if (tile.has_peeled && tile.peeled.exists && Op::key_of(tile.peeled.x) == key) {
        offset = u32(tile.peeled.index) < offset ? u32(tile.peeled.index) : offset;
    }
    return offset;
}

/// Returns, in every thread, the minimum of the values that the warps of the block have stored in shared memory. All
/// threads of a warp call it.
template <int warps>
__device__ u32 lowest_of_warps(const u32* warp_values) {
    if constexpr (warps > 8) {
        return __reduce_min_sync(full_warp, warp_values[clamp_index(threadIdx.x % 32, u32(warps))]);
    } else {
        u32 lowest = warp_values[0];
#pragma unroll
        for (int warp = 1; warp < warps; ++warp) lowest = warp_values[warp] < lowest ? warp_values[warp] : lowest;
        return lowest;
    }
}

/// Returns the block's lowest key and the first offset that has it; valid in thread 0. All threads call it.
template <class P, class L>
__device__ typename P::Accumulator block_arg_min(const ArgTile<P, L>& tile) {
    constexpr int warps = L::threads / 32;
    const u32 warp_key = __reduce_min_sync(full_warp, lowest_key(tile));
    if constexpr (warps == 1) {
        return {warp_key, __reduce_min_sync(full_warp, find_key(tile, warp_key))};
    } else {
        __shared__ alignas(16) u32 keys[warps];
        __shared__ alignas(16) u32 offsets[warps];
        const u32 warp = threadIdx.x / 32;
        if (threadIdx.x % 32 == 0) keys[warp] = warp_key;
        __syncthreads();
        const u32 key = lowest_of_warps<warps>(keys);
        u32 offset = not_found;
        if (warp_key == key) offset = __reduce_min_sync(full_warp, find_key(tile, key));
        if (threadIdx.x % 32 == 0) offsets[warp] = offset;
        __syncthreads();
        return {key, lowest_of_warps<warps>(offsets)};
    }
}

/// Returns the lowest key of a tile and its index in the array; valid in thread 0. first: the index of the tile's first
/// element. All threads call it.
template <class P, class L>
__device__ typename P::Accumulator reduce_arg_tile(const ArgTile<P, L>& tile, u64 first) {
    using Key = typename P::Operator::Key;
    if constexpr (packs_key_and_offset<P, L>) {
        const u32 lowest = combine_block<Min<u32, u32, u32>, L::threads>(lowest_key_and_offset(tile));
        return {Key(lowest >> 16), first + (lowest & 0xffffu)};
    } else {
        const auto lowest = block_arg_min(tile);
        return {lowest.key, first + lowest.index};
    }
}

/// Returns the lowest key of tile `tile` and the index of its element, for an array of whole, aligned tiles; valid in
/// thread 0. base: from thread_base(). All threads call it.
template <class P, class L>
__device__ typename P::Accumulator arg_extreme_in_whole_tile(const typename P::Input* base, u32 tile) {
    constexpr u32 elements = u32(L::threads) * L::unroll * L::bytes / sizeof(typename P::Input);
    return reduce_arg_tile(load_whole_arg_tile<P, L>(base), u64(tile) * elements);
}

/// Returns the lowest key of tile `tile` and the index of its element, for an array of any length and alignment; valid
/// in thread 0. All threads call it. The tile is treated as an array of its own, with peeled elements if it is
/// misaligned.
template <class P, class L>
__device__ typename P::Accumulator arg_extreme_in_tile(const Arguments<P>& a, u32 tile) {
    constexpr u32 elements = u32(L::threads) * L::unroll * L::bytes / sizeof(typename P::Input);
    const u64 first = u64(tile) * elements;
    const u64 left = a.n - first;
    if (left == 0) return P::Operator::identity();
    return reduce_arg_tile(load_arg_tile<P, L>(a.input + first, left < elements ? u32(left) : elements), first);
}

}  // namespace redtune
