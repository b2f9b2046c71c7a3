// Combines one value of each thread over a cluster of blocks, through distributed shared memory (sm_90).
#pragma once

#include "kernels_src/cluster.cuh"
#include "kernels_src/combine_block.cuh"

namespace redtune {

/// One value from each warp of a cluster of at most 16 blocks, in the shared memory of the block of rank 0. The
/// mbarrier `filled` counts the bytes that have arrived.
template <class Accumulator, int block>
struct ClusterPartials {
    static constexpr int block_warps = block / 32;
    static constexpr int max_warps = 16 * block_warps;
    alignas(16) Accumulator warp_values[max_warps];
    CopyBarrier filled;
};

/// Returns the block's ClusterPartials; every call returns the same object.
template <class Accumulator, int block>
__device__ ClusterPartials<Accumulator, block>& cluster_partials() {
    __shared__ ClusterPartials<Accumulator, block> partials;
    return partials;
}

/// Prepares combine_cluster() and arrives at the cluster's barrier. All threads call it at the start of the kernel: the
/// barrier takes about as long as the loads of the input, and an early arrival lets the two overlap.
template <class Accumulator, int block>
__device__ void begin_combine_cluster() {
    auto& partials = cluster_partials<Accumulator, block>();
    if (cluster_rank() == 0 && threadIdx.x == 0) {
        init_barrier(partials.filled, 1);
        fence_barrier_init();
        arrive_expecting(partials.filled, cluster_size() * partials.block_warps * u32(sizeof(Accumulator)));
    }
    __syncwarp();
    cluster_arrive();
}

/// Combines the values of a cluster's threads in a fixed order and returns the result, valid in thread 0 of the block
/// of rank 0. All threads call it once, after begin_combine_cluster(). `block` is as in combine_block(). It uses
/// asynchronous stores that count their bytes at an mbarrier: they take half the time of stores followed by a cluster
/// barrier.
template <class Op, int block, class Accumulator>
__device__ Accumulator combine_cluster(Accumulator value) {
    auto& partials = cluster_partials<Accumulator, block>();
    value = combine_warp<Op>(value);
    cluster_wait();  // the block of rank 0 has started and has initialised its mbarrier
    if (threadIdx.x % 32 == 0) {
        store_async(&partials.warp_values[cluster_rank() * partials.block_warps + threadIdx.x / 32], 0, value,
                    partials.filled);
    }
    if (cluster_rank() != 0 || threadIdx.x >= 32) return value;
    wait_barrier(partials.filled, 0);
    const u32 count = cluster_size() * partials.block_warps;
    value = Op::identity();
    constexpr int max_warps = ClusterPartials<Accumulator, block>::max_warps;
    constexpr int unroll = max_warps < 128 ? (max_warps + 31) / 32 : 4;
    for (u32 first = 0; first < count; first += unroll * 32) {
        value = combine_strided<Op, unroll>(value, partials.warp_values, first + threadIdx.x, 32u, count);
    }
    return combine_warp<Op>(value);
}

}  // namespace redtune
