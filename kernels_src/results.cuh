// What all ways to finish share.
#pragma once

#include "kernels_src/combine_block.cuh"

namespace redtune {

template <class P>
__device__ void store_result(const Arguments<P>& a, typename P::Accumulator value) {
    *a.output = P::Operator::finish(value, a.count);
}

/// Of a grid of one block, where thread 0 has the value.
template <class P>
__device__ void store_first(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x == 0) store_result(a, value);
}

/// Of a grid of one block, of which each thread has its share.
template <int block, class P>
__device__ void store_combined(const Arguments<P>& a, typename P::Accumulator value) {
    store_first(a, combine_block<typename P::Operator, block>(value));
}

/// All partials combined by one block; valid in thread 0.
template <class P, int block>
__device__ typename P::Accumulator combine_slots(const typename P::Accumulator* slots, u64 count) {
    using Op = typename P::Operator;
    typename P::Accumulator value = Op::identity();
    if (count <= block) {
        if (threadIdx.x < count) value = slots[threadIdx.x];
    } else {
        constexpr int at_once = block == 32 ? 8 : 4;
        for (u64 first = threadIdx.x; first < count; first += at_once * block) {
            value = combine_strided<Op, at_once>(value, slots, first, u64(block), count);
        }
    }
    return combine_block<Op, block>(value);
}

/// Whether this block, of all, is the last to get here; for thread 0. What the blocks stored before is then visible
/// to this thread, and to its block behind the next barrier.
__device__ inline bool arrives_last(WorkspaceHeader* header) {
    __threadfence();  // what this block stored before its arrival
    const bool is_last = atomicInc(&header->arrivals, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // the arrivals before what the others stored
    return is_last;
}

}  // namespace redtune
