// Thread block clusters (sm_90): blocks that run at the same time and access each other's shared memory.
#pragma once

#include "kernels_src/bulk_copy.cuh"

namespace redtune {

/// Returns the rank of this block in its cluster.
__device__ inline u32 cluster_rank() {
    u32 rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/// Returns the number of blocks of the cluster.
__device__ inline u32 cluster_size() {
    u32 size;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return size;
}

/// Arrives at the cluster's barrier with release semantics: this thread's earlier accesses are visible to all threads
/// that wait for this phase. All threads of a warp call it together.
__device__ inline void cluster_arrive() {
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
}

/// Waits, with acquire semantics, until all threads of the cluster have arrived or exited. All threads of a warp call
/// it together.
__device__ inline void cluster_wait() {
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
}

/// Returns the address of block `rank`'s copy of a shared variable in the cluster's shared memory window.
/// own_shared_address: the address of this block's copy.
__device__ inline u32 distributed_address(const void* own_shared_address, u32 rank) {
    u32 address;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(address)
        : "r"(u32(__cvta_generic_to_shared(own_shared_address))), "r"(rank));
    return address;
}

/// Starts an asynchronous store of `value`, 4, 8 or 16 bytes, to block `rank`'s copy of a shared variable. When the
/// bytes have arrived, they are counted at that block's copy of the mbarrier `own_barrier`. A cluster barrier must
/// order the target block's initialisation of its mbarrier before this call. The target block must wait at its mbarrier
/// before it exits; the calling block may exit at any time.
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

}  // namespace redtune
