// Relaxed atomic accesses to global memory with GPU scope: other blocks may access the same word at the same time.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// Loads the word atomically. The load orders no other accesses.
__device__ inline u64 load_relaxed(const u64* from) {
    u64 word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    return word;
}

/// Stores the word atomically. The store orders no other accesses.
__device__ inline void store_relaxed(u64* to, u64 word) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(word) : "memory");
}

/// Adds to the word atomically by `red`, which returns nothing, so that no thread waits for the round trip.
__device__ inline void add_relaxed(u64* to, u64 word) {
    asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" : : "l"(to), "l"(word) : "memory");
}

/// 16 bytes that are read and written by single memory operations. Accesses of type .b128 (PTX ISA 8.3, sm_70) are
/// single operations; accesses to vectors of smaller words are not.
struct alignas(16) Word128 {
    u64 low;
    u64 high;
};

__device__ inline Word128 load_relaxed(const Word128* from) {
    Word128 word;
    asm volatile(
        "{ .reg .b128 word;\n"
        "  ld.relaxed.gpu.global.b128 word, [%2];\n"
        "  mov.b128 {%0, %1}, word; }"
        : "=l"(word.low), "=l"(word.high)
        : "l"(from)
        : "memory");
    return word;
}

__device__ inline void store_relaxed(Word128* to, Word128 word) {
    asm volatile(
        "{ .reg .b128 word;\n"
        "  mov.b128 word, {%1, %2};\n"
        "  st.relaxed.gpu.global.b128 [%0], word; }"
        :
        : "l"(to), "l"(word.low), "l"(word.high)
        : "memory");
}

}  // namespace redtune
