// The place of a tile's extreme, by one block.
#pragma once

#include "kernels_src/accumulate.cuh"
#include "kernels_src/combine_block.cuh"

namespace redtune {

/// Whether an operator looks for the lowest key, of 32 bits, and a warp finds that in one instruction.
template <class P>
constexpr bool has_arg_extreme_in_tile = [] {
    if constexpr (P::Operator::warp_reduction == WarpReduction::place) {
        return sizeof(typename P::Operator::Key) == sizeof(u32) && has_warp_reduction<Min<u32, u32, u32>, u32>();
    }
    return false;
}();

/// The elements of a tile that a thread has loaded. is_whole: the tile is, and aligned.
template <class P, class L, bool is_whole>
struct LoadedTile {
    using V = Vector<typename P::Input, L::bytes>;
    V held[L::unroll];
    PeeledElement<P> edge;
    u32 head = 0;            // elements before the first vector
    bool has_edges = false;  // the tile; the same in all threads, as is the next
    bool has_vectors = true;

    /// Of a whole tile, of which `own` is the thread's first element.
    __device__ explicit LoadedTile(const typename P::Input* own) {
        static_assert(is_whole, "all vectors exist");
        edge.is_there = false;
#pragma unroll
        for (int i = 0; i < L::unroll; ++i) held[i] = V::template load<L::path>(own + i * L::threads * V::lanes);
    }

    /// Of n elements, beginning with `input`.
    __device__ LoadedTile(const typename P::Input* input, u32 n) {
        static_assert(most_edges<P, L> <= L::threads, "a thread has one edge");
        head = misaligned_head<L::bytes>(input, n);
        const u32 vectors = (n - head) / V::lanes;
        has_edges = vectors * V::lanes != n;
        has_vectors = vectors != 0;
        edge.is_there = false;
        if (has_edges) edge = load_edge<P>(Span<P>{input, nullptr, n}, head, vectors * V::lanes, threadIdx.x);
        if (!has_vectors) return;
#pragma unroll
        for (int i = 0; i < L::unroll; ++i) {
            // The last vector in place of those that are not there: loads under a condition would be waited for one by
            // one.
            const u32 place = u32(i) * L::threads + threadIdx.x;
            held[i] = V::template load<L::path>(input + head + (place < vectors ? place : vectors - 1) * V::lanes);
        }
    }

    /// Where in the tile element `place` of the vectors is.
    __device__ u32 offset_of(u32 place) const {
        return head + (place / V::lanes * L::threads + threadIdx.x) * V::lanes + place % V::lanes;
    }
};

/// Whether a key and an offset fit a word, and few warps are in each other's way: then every thread looks for its own
/// place, and places combine as integers do. Otherwise the key is found first, and then, by those warps only that have
/// it, where it is.
template <class P, class L>
constexpr bool has_place_in_word = [] {
    constexpr u32 tile_bytes = u32(L::threads) * L::unroll * L::bytes;
    return has_half_keys<typename P::Input> && L::threads <= 256 && tile_bytes < (1 << 16) * sizeof(typename P::Input);
}();

/// A thread's place, as key and offset in one word.
template <class P, class L, bool is_whole>
__device__ u32 place_in_word(const LoadedTile<P, L, is_whole>& loaded) {
    using Op = typename P::Operator;
    u32 place = ~u32(0);
    if (loaded.has_vectors) {
        const u32 key = Op::lowest_key(loaded.held);
        place = key << 16 | loaded.offset_of(Op::first_with(key, loaded.held));
    }
    if (loaded.has_edges && loaded.edge.is_there) {
        const u32 of_edge = Op::key_of(loaded.edge.x) << 16 | u32(loaded.edge.index);
        place = of_edge < place ? of_edge : place;
    }
    return place;
}

/// A thread's lowest key.
template <class P, class L, bool is_whole>
__device__ u32 lowest_key(const LoadedTile<P, L, is_whole>& loaded) {
    using Op = typename P::Operator;
    u32 key = ~u32(0);
    if (loaded.has_vectors) key = Op::lowest_key(loaded.held);
    if (loaded.has_edges && loaded.edge.is_there) {
        const u32 of_edge = Op::key_of(loaded.edge.x);
        key = of_edge < key ? of_edge : key;
    }
    return key;
}

/// The first offset of a thread's elements that have the key; nowhere if none has.
template <class P, class L, bool is_whole>
__device__ u32 first_offset_of(const LoadedTile<P, L, is_whole>& loaded, u32 key) {
    using Op = typename P::Operator;
    u32 offset = nowhere;
    if (loaded.has_vectors) {
        const u32 place = Op::first_with(key, loaded.held);
        if (place != nowhere) offset = loaded.offset_of(place);
    }
    if (loaded.has_edges && loaded.edge.is_there && Op::key_of(loaded.edge.x) == key) {
        offset = u32(loaded.edge.index) < offset ? u32(loaded.edge.index) : offset;
    }
    return offset;
}

/// The lowest of the numbers of all warps, in every thread.
template <int warps>
__device__ u32 lowest_of_warps(const u32* of_warp) {
    if constexpr (warps > 8) {
        const u32 lane = threadIdx.x % 32;
        return __reduce_min_sync(full_warp, of_warp[lane < warps ? lane : warps - 1]);
    } else {
        u32 lowest = of_warp[0];
#pragma unroll
        for (int warp = 1; warp < warps; ++warp) lowest = of_warp[warp] < lowest ? of_warp[warp] : lowest;
        return lowest;
    }
}

/// The lowest key of all threads, and the first offset of those that have it; valid in thread 0.
template <class P, class L, bool is_whole>
__device__ typename P::Accumulator first_lowest(const LoadedTile<P, L, is_whole>& loaded) {
    constexpr int warps = L::threads / 32;
    const u32 of_warp = __reduce_min_sync(full_warp, lowest_key(loaded));
    if constexpr (warps == 1) {
        return {of_warp, __reduce_min_sync(full_warp, first_offset_of(loaded, of_warp))};
    } else {
        __shared__ alignas(16) u32 keys[warps];
        __shared__ alignas(16) u32 offsets[warps];
        const u32 warp = threadIdx.x / 32;
        if (threadIdx.x % 32 == 0) keys[warp] = of_warp;
        __syncthreads();
        const u32 key = lowest_of_warps<warps>(keys);
        u32 offset = nowhere;
        if (of_warp == key) offset = __reduce_min_sync(full_warp, first_offset_of(loaded, key));
        if (threadIdx.x % 32 == 0) offsets[warp] = offset;
        __syncthreads();
        return {key, lowest_of_warps<warps>(offsets)};
    }
}

/// Where the lowest key of a tile is that begins with element `first`; valid in thread 0.
template <class P, class L, bool is_whole>
__device__ typename P::Accumulator place_of(const LoadedTile<P, L, is_whole>& loaded, u64 first) {
    using Key = typename P::Operator::Key;
    if constexpr (has_place_in_word<P, L>) {
        const u32 place = combine_block<Min<u32, u32, u32>, L::threads>(place_in_word(loaded));
        return {Key(place >> 16), first + (place & 0xffffu)};
    } else {
        const auto place = first_lowest(loaded);
        return {place.key, first + place.index};
    }
}

/// The place of tile `tile` of an array of whole tiles, aligned; valid in thread 0. own: of thread_base().
template <class P, class L>
__device__ typename P::Accumulator arg_extreme_in_whole_tile(const typename P::Input* own, u32 tile) {
    constexpr u32 elements = u32(L::threads) * L::unroll * L::bytes / sizeof(typename P::Input);
    return place_of(LoadedTile<P, L, true>(own), u64(tile) * elements);
}

/// The place of tile `tile` of any array; valid in thread 0. The tile is an array of its own, with edges where the
/// pointer is off alignment.
template <class P, class L>
__device__ typename P::Accumulator arg_extreme_in_tile(const Arguments<P>& a, u32 tile) {
    constexpr u32 elements = u32(L::threads) * L::unroll * L::bytes / sizeof(typename P::Input);
    const u64 first = u64(tile) * elements;
    const u64 left = a.n - first;
    if (left == 0) return P::Operator::identity();
    return place_of(LoadedTile<P, L, false>(a.input + first, left < elements ? u32(left) : elements), first);
}

}  // namespace redtune
