// Stands in for the inline PTX of kernels_src/cluster.cuh.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

EMULATOR_INLINE u32 cluster_rank() {
    return emulator::cluster_rank();
}
EMULATOR_INLINE u32 cluster_size() {
    return emulator::cluster_size();
}
EMULATOR_INLINE void cluster_sync(EMULATOR_WHERE) {
    emulator::cluster_barrier(where);
}

template <class T>
EMULATOR_INLINE T load_distributed(const T* own_shared_address, u32 rank) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    return emulator::bits_as<T>(emulator::load_remote(own_shared_address, rank, sizeof(T)));
}

template <class T>
EMULATOR_INLINE void store_distributed(T* own_shared_address, u32 rank, std::type_identity_t<T> value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    emulator::store_remote(own_shared_address, rank, sizeof(T), emulator::bits_as<u64>(value));
}

}  // namespace redtune
