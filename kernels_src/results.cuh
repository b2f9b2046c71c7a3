// What all ways to finish share.
#pragma once

#include "kernels_src/combine_block.cuh"

namespace redtune {

template <class P>
__device__ void store_result(const Arguments<P>& a, typename P::Accumulator value) {
    *a.output = P::Operator::finish(value, a.count);
}

/// All partials combined by one block; valid in thread 0.
template <class P, int block>
__device__ typename P::Accumulator combine_slots(const typename P::Accumulator* slots, u64 count) {
    using Op = typename P::Operator;
    typename P::Accumulator value = Op::identity();
#pragma unroll 4
    for (u64 i = threadIdx.x; i < count; i += block) value = Op::combine(value, slots[i]);
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
