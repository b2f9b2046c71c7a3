// Accesses that other blocks may make at the same time, as the PTX memory model names them; all of GPU scope.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// Atomic, orders nothing else.
__device__ inline u64 load_relaxed(const u64* from) {
    u64 word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    return word;
}

__device__ inline void store_relaxed(u64* to, u64 word) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(word) : "memory");
}

}  // namespace redtune
