// Cluster barriers and accesses to distributed shared memory, for the kernels with defects. The families do not use
// them.
#pragma once

#include "kernels_src/types.cuh"
#include "stand_in/cuda_builtins.h"

namespace defects {

using redtune::u32;

/// Arrives at the cluster's barrier and waits for it.
EMULATOR_INLINE void cluster_sync(EMULATOR_WHERE) {
    emulator::cluster_arrive(where);
    emulator::cluster_wait("cluster_sync()", where);
}

/// Returns block `rank`'s copy of a shared variable. The copy is read word by word, because larger accesses need not be
/// single operations.
template <class T>
EMULATOR_INLINE T load_distributed(const T* own_shared_address, u32 rank) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(u32) == 0);
    const auto* from = reinterpret_cast<const unsigned char*>(own_shared_address);
    u32 words[sizeof(T) / sizeof(u32)];
    for (u32 i = 0; i < sizeof(T) / sizeof(u32); ++i) {
        words[i] = u32(emulator::load_remote(from + i * sizeof(u32), rank, sizeof(u32)));
    }
    T value;
    __builtin_memcpy(static_cast<void*>(&value), words, sizeof(value));
    return value;
}

/// Writes block `rank`'s copy of a shared variable, word by word.
template <class T>
EMULATOR_INLINE void store_distributed(T* own_shared_address, u32 rank, T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(u32) == 0);
    auto* to = reinterpret_cast<unsigned char*>(own_shared_address);
    u32 words[sizeof(T) / sizeof(u32)];
    __builtin_memcpy(words, &value, sizeof(value));
    for (u32 i = 0; i < sizeof(T) / sizeof(u32); ++i) {
        emulator::store_remote(to + i * sizeof(u32), rank, sizeof(u32), words[i]);
    }
}

}  // namespace defects
