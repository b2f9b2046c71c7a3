// Functions that several finishes share: they combine stored partials, detect the last block, and write the result.
#pragma once

#include "kernels_src/combine_block.cuh"

namespace redtune {

/// Writes the result of the whole array. One thread of the grid calls it.
template <class P>
__device__ void store_result(const Arguments<P>& a, typename P::Accumulator value) {
    *a.output = P::Operator::finish(value, a.count);
}

/// Writes the result of a grid of one block. `value` is valid in thread 0. All threads may call it.
template <class P>
__device__ void store_block_result(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x == 0) store_result(a, value);
}

/// Combines the values of the threads of a grid of one block and writes the result. All threads call it.
template <int block, class P>
__device__ void store_combined(const Arguments<P>& a, typename P::Accumulator value) {
    store_block_result(a, combine_block<typename P::Operator, block>(value));
}

/// Combines `count` partials in global memory with one block and returns the result, valid in thread 0. All threads
/// call it.
template <class P, int block>
__device__ typename P::Accumulator combine_slots(const typename P::Accumulator* slots, u64 count) {
    using Op = typename P::Operator;
    typename P::Accumulator value = Op::identity();
    if (count <= block) {
        if (threadIdx.x < count) value = slots[threadIdx.x];
    } else {
        constexpr int unroll = block == 32 ? 8 : 4;
        for (u64 first = threadIdx.x; first < count; first += unroll * block) {
            value = combine_strided<Op, unroll>(value, slots, first, u64(block), count);
        }
    }
    return combine_block<Op, block>(value);
}

/// Returns whether this block is the last of the grid to call this function. If it is, the other blocks' earlier stores
/// are visible to the calling thread, and to its block after the next barrier. One thread of each block calls it.
__device__ inline bool arrives_last(WorkspaceHeader* header) {
    __threadfence();  // release: this block's stores are visible before its arrival
    const bool is_last = atomicInc(&header->arrivals, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // acquire: the other blocks' stores are read after their arrival
    return is_last;
}

}  // namespace redtune
