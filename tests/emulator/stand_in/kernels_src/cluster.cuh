// Stands in for the inline PTX of kernels_src/cluster.cuh.
#pragma once

#include "kernels_src/bulk_copy.cuh"
#include "kernels_src/types.cuh"

namespace redtune {

EMULATOR_INLINE u32 cluster_rank() {
    return emulator::cluster_rank();
}
EMULATOR_INLINE u32 cluster_size() {
    return emulator::cluster_size();
}
EMULATOR_INLINE void cluster_arrive(EMULATOR_WHERE) {
    emulator::cluster_arrive(where);
}
EMULATOR_INLINE void cluster_wait(EMULATOR_WHERE) {
    emulator::cluster_wait("cluster_wait()", where);
}

// A store of 16 bytes is two stores of 8, each of which arrives and is counted separately.
template <class T>
EMULATOR_INLINE void store_async(T* own_shared_address, u32 rank, T value, CopyBarrier& own_barrier) {
    static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16));
    constexpr u32 bytes = sizeof(T) == 4 ? 4 : 8;
    auto* to = reinterpret_cast<unsigned char*>(own_shared_address);
    u64 parts[(sizeof(T) + 7) / 8] = {};
    __builtin_memcpy(parts, &value, sizeof(value));
    for (u32 i = 0; i < sizeof(T) / bytes; ++i) {
        emulator::store_async(to + i * bytes, rank, bytes, parts[i], &own_barrier);
    }
}

}  // namespace redtune
