// Copies of whole ranges from global to shared memory that run beside the threads (sm_90), and the barriers in shared
// memory that tell of their end.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// Counts threads that arrive and bytes that copies bring; a phase ends when none of either is missing.
struct CopyBarrier {
    u64 word;
};

/// `arrivals` of threads end a phase, together with the bytes that they expect. For one thread; the others see it
/// behind a barrier of the block, and copies behind fence_barrier_init().
__device__ inline void init_barrier(CopyBarrier& barrier, u32 arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :
                 : "r"(u32(__cvta_generic_to_shared(&barrier))), "r"(arrivals)
                 : "memory");
}

__device__ inline void fence_barrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}

/// Arrives, and adds `bytes` that copies will bring in this phase.
__device__ inline void arrive_expecting(CopyBarrier& barrier, u32 bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(u32(__cvta_generic_to_shared(&barrier))), "r"(bytes)
                 : "memory");
}

/// Until the phase of this parity, 0 for the first and then in turn, has ended; what its copies brought is then
/// visible.
__device__ inline void wait_barrier(CopyBarrier& barrier, u32 parity) {
    asm volatile(
        "{ .reg .pred done;\n"
        "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "  @!done bra again; }"
        :
        : "r"(u32(__cvta_generic_to_shared(&barrier))), "r"(parity)
        : "memory");
}

/// Starts a copy of `bytes`, a multiple of 16, between addresses aligned to 16; `barrier` expects its bytes. Memory
/// that threads have read must be free for it: a barrier of the block between.
__device__ inline void bulk_copy(void* shared, const void* global, u32 bytes, CopyBarrier& barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : "r"(u32(__cvta_generic_to_shared(shared))), "l"(global), "r"(bytes),
                   "r"(u32(__cvta_generic_to_shared(&barrier)))
                 : "memory");
}

}  // namespace redtune
