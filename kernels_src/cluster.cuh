// Clusters of blocks, which run at the same time and reach each other's shared memory (sm_90).
#pragma once

#include "kernels_src/bulk_copy.cuh"

namespace redtune {

__device__ inline u32 cluster_rank() {
    u32 rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ inline u32 cluster_size() {
    u32 size;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return size;
}

/// What this thread did before is visible to all that wait for this phase of the cluster's barrier. All threads of the
/// warp call it together, as all that follow.
__device__ inline void cluster_arrive() {
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
}

/// Until all threads of the cluster have arrived, or ended.
__device__ inline void cluster_wait() {
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
}

__device__ inline void cluster_sync() {
    cluster_arrive();
    cluster_wait();
}

/// Where block `rank` of the cluster has what this block has at an address of its shared memory.
__device__ inline u32 distributed_address(const void* own_shared_address, u32 rank) {
    u32 address;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(address)
        : "r"(u32(__cvta_generic_to_shared(own_shared_address))), "r"(rank));
    return address;
}

/// T is of whole 32-bit words; the other block has started, which a barrier of the cluster tells, and not ended.
template <class T>
__device__ T load_distributed(const T* own_shared_address, u32 rank) {
    const u32 address = distributed_address(own_shared_address, rank);
    u32 words[sizeof(T) / sizeof(u32)];
#pragma unroll
    for (u32 i = 0; i < sizeof(T) / sizeof(u32); ++i) {
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(words[i]) : "r"(address + 4 * i) : "memory");
    }
    T value;
    memcpy(&value, words, sizeof(value));
    return value;
}

/// Stores `value`, of 4, 8 or 16 bytes, some time later, and then counts its bytes at the barrier that the other block
/// has where `own_barrier` is in this one. The other block has initialised it, which a barrier of the cluster tells; it
/// does not end before it has waited. This block may.
template <class T>
__device__ void store_async(T* own_shared_address, u32 rank, T value, CopyBarrier& own_barrier) {
    const u32 address = distributed_address(own_shared_address, rank);
    const u32 barrier = distributed_address(&own_barrier, rank);
    if constexpr (sizeof(T) == sizeof(u32)) {
        u32 word;
        memcpy(&word, &value, sizeof(word));
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];"
                     :
                     : "r"(address), "r"(word), "r"(barrier)
                     : "memory");
    } else {
        u64 words[sizeof(T) / sizeof(u64)];
        memcpy(words, &value, sizeof(value));
#pragma unroll
        for (u32 i = 0; i < sizeof(T) / sizeof(u64); ++i) {
            asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];"
                         :
                         : "r"(address + 8 * i), "l"(words[i]), "r"(barrier)
                         : "memory");
        }
    }
}

template <class T>
__device__ void store_distributed(T* own_shared_address, u32 rank, T value) {
    const u32 address = distributed_address(own_shared_address, rank);
    u32 words[sizeof(T) / sizeof(u32)];
    memcpy(words, &value, sizeof(value));
#pragma unroll
    for (u32 i = 0; i < sizeof(T) / sizeof(u32); ++i) {
        asm volatile("st.shared::cluster.u32 [%0], %1;" : : "r"(address + 4 * i), "r"(words[i]) : "memory");
    }
}

}  // namespace redtune
