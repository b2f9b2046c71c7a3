// Reductions whose number of elements lies in device memory. The host knows only an upper bound, for which it plans the
// grid, so blocks at the end of the grid may have no elements. A program includes this file before a family's template.
#pragma once

#include "kernels_src/arg_extreme_in_tile.cuh"
#include "kernels_src/opaque.cuh"

namespace redtune {

/// A number in device memory that is used as if it were a u64. Every use loads it with a plain load: after
/// wait_for_previous_kernel() that load sees what the previous kernel has written. A number above `most` counts as
/// `most`, so that a wrong number does not make a kernel read beyond the array.
struct LoadedCount {
    const u64* address;
    u64 most;

    __device__ operator u64() const {
        const u64 number = *address;
        return number < most ? number : most;
    }
};

__device__ inline u64 opaque(const LoadedCount& count) {
    return opaque(u64(count));
}

/// The problem P with the number of elements in device memory.
template <class P>
struct CountedOnDevice : P {};

/// The arguments of a launch that reads the input, a whole array.
template <class P>
struct Arguments<CountedOnDevice<P>> {
    const typename P::Input* input;
    const typename P::Input* second;
    LoadedCount n;
    LoadedCount count;
    typename P::Output* output;
    WorkspaceHeader* header;
    void* slots;
};

/// The arguments of a launch that combines partials. The host knows how many partials there are, because there is one
/// for each block.
template <class P, class Accumulator, class Output>
struct Arguments<Problem<PartialsOperator<CountedOnDevice<P>>, Accumulator, Accumulator, Output>> {
    const Accumulator* input;
    const Accumulator* second;
    u64 n;
    u64 row_length;
    LoadedCount count;
    Output* output;
    WorkspaceHeader* header;
    void* slots;
};

/// Returns the arguments with the number of elements loaded.
template <class P>
__device__ Arguments<P> load_counts(const Arguments<CountedOnDevice<P>>& a) {
    const u64 n = a.n;
    return {a.input, a.second, n, n, n, a.output, a.header, a.slots};
}

// The overloads below replace functions that assume that every tile of the grid has elements. Templates call them,
// because they are more specialised.

/// See block_tile.cuh. It compares all 64 bits, because the grid may have any number of tiles more than n needs.
template <class P, class L, class Counted>
__device__ bool are_all_tiles_whole(const Arguments<CountedOnDevice<Counted>>& a, const typename Counted::Input* base) {
    constexpr u64 elements = u64(L::threads) * L::unroll * L::bytes / sizeof(typename Counted::Input);
    return (u64(a.n) == gridDim.x * elements) & is_aligned<L::bytes>(base);
}

/// See block_tile.cuh. Any number of tiles at the end of the grid may be empty.
template <class P, class L, bool has_empty_tiles, class Counted>
__device__ typename Counted::Accumulator reduce_tile_of_any_array(const Arguments<CountedOnDevice<Counted>>& a, u32 tile,
                                                                  u32 last) {
    return reduce_tile_of_any_array<Counted, L, true>(load_counts(a), tile, last);
}

/// See arg_extreme_in_tile.cuh. A tile after the end of the array is the identity.
template <class P, class L, class Counted>
__device__ typename Counted::Accumulator arg_extreme_in_tile(const Arguments<CountedOnDevice<Counted>>& a, u32 tile) {
    constexpr u32 elements = u32(L::threads) * L::unroll * L::bytes / sizeof(typename Counted::Input);
    const Arguments<Counted> loaded = load_counts(a);
    if (u64(tile) * elements >= loaded.n) return Counted::Operator::identity();
    return arg_extreme_in_tile<Counted, L>(loaded, tile);
}

}  // namespace redtune
