// Asynchronous bulk copies from global to shared memory (cp.async.bulk, sm_90), and the mbarriers in shared memory that
// report their completion.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// An mbarrier. A phase completes when all expected threads have arrived and all expected bytes have been copied.
struct CopyBarrier {
    u64 word;
};

/// Initialises the barrier for `arrivals` arriving threads in each phase. One thread calls it. Other threads may use
/// the barrier after a block barrier; copies may use it after fence_barrier_init().
__device__ inline void init_barrier(CopyBarrier& barrier, u32 arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :
                 : "r"(u32(__cvta_generic_to_shared(&barrier))), "r"(arrivals)
                 : "memory");
}

/// Makes earlier init_barrier() calls of this thread visible to asynchronous copies and to the cluster.
__device__ inline void fence_barrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}

/// Arrives at the barrier, and adds `bytes` to the bytes that must be copied before the phase completes.
__device__ inline void arrive_expecting(CopyBarrier& barrier, u32 bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(u32(__cvta_generic_to_shared(&barrier))), "r"(bytes)
                 : "memory");
}

/// Waits until the phase of the given parity has completed; the copied bytes are then visible to this thread. Parities
/// alternate from phase to phase; the first phase has parity 0.
__device__ inline void wait_barrier(CopyBarrier& barrier, u32 parity) {
    asm volatile(
        "{ .reg .pred done;\n"
        "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "  @!done bra again; }"
        :
        : "r"(u32(__cvta_generic_to_shared(&barrier))), "r"(parity)
        : "memory");
}

/// Starts a copy of `bytes` bytes, a multiple of 16, from global to shared memory. Both addresses must be aligned to 16
/// bytes. The copied bytes are counted at `barrier`. A block barrier must separate the threads' earlier reads of the
/// target from this call.
__device__ inline void bulk_copy(void* shared, const void* global, u32 bytes, CopyBarrier& barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :
                 : "r"(u32(__cvta_generic_to_shared(shared))), "l"(global), "r"(bytes),
                   "r"(u32(__cvta_generic_to_shared(&barrier)))
                 : "memory");
}

}  // namespace redtune
