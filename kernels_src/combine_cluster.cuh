// The values of all threads of a cluster of blocks to one, through distributed shared memory.
#pragma once

#include "kernels_src/cluster.cuh"
#include "kernels_src/combine_block.cuh"

namespace redtune {

/// The cluster's values combined, in a fixed order; valid in thread 0 of the block of rank 0. All threads call it, once
/// in a kernel that began with cluster_arrive(). `block` as combine_block() has it; at most 8 blocks, which
/// every device with clusters allows.
template <class Op, int block, class Accumulator>
__device__ Accumulator combine_cluster(Accumulator value) {
    constexpr int warps = block / 32;
    constexpr int most_blocks = 8;
    __shared__ alignas(16) Accumulator of_warp[most_blocks * warps];
    value = combine_warp<Op>(value);
    cluster_wait();  // the block of rank 0 has begun: it has shared memory
    if (threadIdx.x % 32 == 0) {
        store_distributed(&of_warp[cluster_rank() * warps + threadIdx.x / 32], 0, value);
    }
    cluster_arrive();
    if (cluster_rank() != 0) return value;
    cluster_wait();
    if (threadIdx.x < 32) {
        const u32 count = cluster_size() * warps;
        value = Op::identity();
#pragma unroll
        for (u32 i = 0; i < most_blocks * warps; i += 32) {
            if (i + threadIdx.x < count) value = Op::combine(value, of_warp[i + threadIdx.x]);
        }
        value = combine_warp<Op>(value);
    }
    return value;
}

}  // namespace redtune
