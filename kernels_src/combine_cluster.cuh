// The values of all threads of a cluster of blocks to one, through distributed shared memory.
#pragma once

#include "kernels_src/cluster.cuh"
#include "kernels_src/combine_block.cuh"

namespace redtune {

/// Where the block of rank 0 gathers a value of each warp of the cluster: of 16 blocks at most.
template <class Accumulator, int block>
struct ClusterGathering {
    static constexpr int warps = block / 32;
    static constexpr int most = 16 * warps;
    alignas(16) Accumulator of_warp[most];
    CopyBarrier filled;
};

/// The block's gathering of a kernel; the same for all who ask.
template <class Accumulator, int block>
__device__ ClusterGathering<Accumulator, block>& cluster_gathering() {
    __shared__ ClusterGathering<Accumulator, block> gathering;
    return gathering;
}

/// What a kernel begins with that will call combine_cluster(): it takes as long as loads do.
template <class Accumulator, int block>
__device__ void begin_cluster() {
    auto& gathering = cluster_gathering<Accumulator, block>();
    if (cluster_rank() == 0 && threadIdx.x == 0) {
        init_barrier(gathering.filled, 1);
        fence_barrier_init();
        arrive_expecting(gathering.filled, cluster_size() * gathering.warps * u32(sizeof(Accumulator)));
    }
    __syncwarp();
    cluster_arrive();
}

/// The cluster's values combined, in a fixed order; valid in thread 0 of the block of rank 0. All threads call it,
/// once. `block` as combine_block() has it; at most 16 blocks. Stores that count themselves at a barrier take half as
/// long as stores and a barrier of the cluster behind them.
template <class Op, int block, class Accumulator>
__device__ Accumulator combine_cluster(Accumulator value) {
    auto& gathering = cluster_gathering<Accumulator, block>();
    value = combine_warp<Op>(value);
    cluster_wait();  // the block of rank 0 has begun, and its barrier is there
    if (threadIdx.x % 32 == 0) {
        store_async(&gathering.of_warp[cluster_rank() * gathering.warps + threadIdx.x / 32], 0, value,
                    gathering.filled);
    }
    if (cluster_rank() != 0 || threadIdx.x >= 32) return value;
    wait_barrier(gathering.filled, 0);
    const u32 count = cluster_size() * gathering.warps;
    value = Op::identity();
    constexpr int most = ClusterGathering<Accumulator, block>::most;
    constexpr int at_once = most < 128 ? (most + 31) / 32 : 4;
    for (u32 first = 0; first < count; first += at_once * 32) {
        value = combine_strided<Op, at_once>(value, gathering.of_warp, first + threadIdx.x, 32u, count);
    }
    return combine_warp<Op>(value);
}

}  // namespace redtune
