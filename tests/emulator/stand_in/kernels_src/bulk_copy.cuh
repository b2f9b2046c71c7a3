// Stands in for the inline PTX of kernels_src/bulk_copy.cuh.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

struct CopyBarrier {
    u64 word;
};

EMULATOR_INLINE void init_barrier(CopyBarrier& barrier, u32 arrivals) {
    emulator::init_copy_barrier(&barrier, arrivals);
}
EMULATOR_INLINE void fence_barrier_init() {}
EMULATOR_INLINE void arrive_expecting(CopyBarrier& barrier, u32 bytes) {
    emulator::arrive_at_copy_barrier(&barrier, bytes);
}
EMULATOR_INLINE void wait_barrier(CopyBarrier& barrier, u32 parity, EMULATOR_WHERE) {
    emulator::wait_at_copy_barrier(&barrier, parity, where);
}
EMULATOR_INLINE void bulk_copy(void* shared, const void* global, u32 bytes, CopyBarrier& barrier) {
    emulator::start_bulk_copy(shared, global, bytes, &barrier);
}

}  // namespace redtune
