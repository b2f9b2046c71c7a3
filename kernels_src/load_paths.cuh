// Ways of the memory system that a load can take.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// plain: through L1, coherent within the block. read_only: through L1; nobody writes the input while the kernel runs.
/// no_allocate: read-only, and does not stay in L1. prefetch: as no_allocate, and L2 fetches 256 bytes at a time
/// (sm_80). evict_first: as no_allocate, and the first to leave L2 (sm_80). Where the chip lacks it, the next simpler
/// one.
enum class Path { plain, read_only, no_allocate, prefetch, evict_first };

#define REDTUNE_LOAD(instruction, word)                                                        \
    __device__ inline u32 load_by_##word(const u32* from) {                                    \
        u32 value;                                                                             \
        asm(instruction ".u32 %0, [%1];" : "=r"(value) : "l"(from));                           \
        return value;                                                                          \
    }                                                                                          \
    __device__ inline uint2 load_by_##word(const uint2* from) {                                \
        uint2 value;                                                                           \
        asm(instruction ".v2.u32 {%0, %1}, [%2];" : "=r"(value.x), "=r"(value.y) : "l"(from)); \
        return value;                                                                          \
    }                                                                                          \
    __device__ inline uint4 load_by_##word(const uint4* from) {                                \
        uint4 value;                                                                           \
        asm(instruction ".v4.u32 {%0, %1, %2, %3}, [%4];"                                      \
            : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)                       \
            : "l"(from));                                                                      \
        return value;                                                                          \
    }

REDTUNE_LOAD("ld.global.nc.L1::no_allocate", no_allocate)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
REDTUNE_LOAD("ld.global.nc.L1::no_allocate.L2::256B", prefetch)

__device__ inline u64 evict_first_policy() {
    u64 policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

__device__ inline u32 load_by_evict_first(const u32* from) {
    u32 value;
    asm("ld.global.nc.L1::no_allocate.L2::cache_hint.u32 %0, [%1], %2;"
        : "=r"(value)
        : "l"(from), "l"(evict_first_policy()));
    return value;
}
__device__ inline uint2 load_by_evict_first(const uint2* from) {
    uint2 value;
    asm("ld.global.nc.L1::no_allocate.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;"
        : "=r"(value.x), "=r"(value.y)
        : "l"(from), "l"(evict_first_policy()));
    return value;
}
__device__ inline uint4 load_by_evict_first(const uint4* from) {
    uint4 value;
    asm("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
        : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
        : "l"(from), "l"(evict_first_policy()));
    return value;
}
#else
template <class Word>
__device__ Word load_by_prefetch(const Word* from) {
    return load_by_no_allocate(from);
}
template <class Word>
__device__ Word load_by_evict_first(const Word* from) {
    return load_by_no_allocate(from);
}
#endif

#undef REDTUNE_LOAD

/// One load of 4, 8 or 16 bytes, to which `from` is aligned. The input does not change during a call.
template <Path path, class Word>
__device__ Word load_word(const Word* from) {
    if constexpr (path == Path::plain) {
        __builtin_assume(__isGlobal(from));
        return *from;
    } else if constexpr (path == Path::read_only) {
        return __ldg(from);
    } else if constexpr (path == Path::no_allocate) {
        return load_by_no_allocate(from);
    } else if constexpr (path == Path::prefetch) {
        return load_by_prefetch(from);
    } else {
        return load_by_evict_first(from);
    }
}

// load_if(is_there, address): what is there, or zero. Without a branch, into which the compiler would draw what is done
// with it, and wait for it there.
#define REDTUNE_LOAD_IF(From, To, type, to, from, flag, ...)                                            \
    __device__ inline To load_if(bool is_there, const From* address) {                                  \
        To word{};                                                                                      \
        asm volatile("{ .reg .pred is_there; setp.ne.u32 is_there, " flag ", 0;\n"                      \
                     "  @is_there ld.global." type " " to ", [" from "]; }"                             \
                     : __VA_ARGS__                                                                      \
                     : "l"(address), "r"(u32(is_there)));                                               \
        return word;                                                                                    \
    }
REDTUNE_LOAD_IF(u8, u16, "u8", "%0", "%1", "%2", "+h"(word))
REDTUNE_LOAD_IF(u16, u16, "u16", "%0", "%1", "%2", "+h"(word))
REDTUNE_LOAD_IF(u32, u32, "u32", "%0", "%1", "%2", "+r"(word))
REDTUNE_LOAD_IF(u64, u64, "u64", "%0", "%1", "%2", "+l"(word))
REDTUNE_LOAD_IF(uint2, uint2, "v2.u32", "{%0, %1}", "%2", "%3", "+r"(word.x), "+r"(word.y))
REDTUNE_LOAD_IF(uint4, uint4, "v4.u32", "{%0, %1, %2, %3}", "%4", "%5",  //
                "+r"(word.x), "+r"(word.y), "+r"(word.z), "+r"(word.w))
#undef REDTUNE_LOAD_IF

}  // namespace redtune
