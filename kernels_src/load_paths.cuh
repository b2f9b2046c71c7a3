// Load instructions and their cache policies.
#pragma once

#include "kernels_src/types.cuh"

namespace redtune {

/// plain: ld.global, cached in L1, coherent within the block.
/// read_only: ld.global.nc; no one may write the input while the kernel runs.
/// no_allocate: as read_only, but the line does not stay in L1.
/// prefetch: as no_allocate, and L2 fetches 256 bytes at a time (sm_80; below it is no_allocate).
/// evict_first: as no_allocate, and the line is the first to leave L2 (sm_80; below it is no_allocate).
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

/// Loads 4, 8 or 16 bytes by one instruction; `from` must be aligned to that size.
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

// load_predicated(condition, address) returns the word at the address, or zero without a memory access if the condition
// is false. It is a predicated instruction: given a branch, the compiler would move the uses of the word into it and
// wait for the load there.
#define REDTUNE_LOAD_PREDICATED(From, To, type, to, from, flag, ...)                                            \
    __device__ inline To load_predicated(bool condition, const From* address) {                                  \
        To word{};                                                                                      \
        asm volatile("{ .reg .pred condition; setp.ne.u32 condition, " flag ", 0;\n"                      \
                     "  @condition ld.global." type " " to ", [" from "]; }"                             \
                     : __VA_ARGS__                                                                      \
                     : "l"(address), "r"(u32(condition)));                                               \
        return word;                                                                                    \
    }
REDTUNE_LOAD_PREDICATED(u8, u16, "u8", "%0", "%1", "%2", "+h"(word))
REDTUNE_LOAD_PREDICATED(u16, u16, "u16", "%0", "%1", "%2", "+h"(word))
REDTUNE_LOAD_PREDICATED(u32, u32, "u32", "%0", "%1", "%2", "+r"(word))
REDTUNE_LOAD_PREDICATED(u64, u64, "u64", "%0", "%1", "%2", "+l"(word))
REDTUNE_LOAD_PREDICATED(uint2, uint2, "v2.u32", "{%0, %1}", "%2", "%3", "+r"(word.x), "+r"(word.y))
REDTUNE_LOAD_PREDICATED(uint4, uint4, "v4.u32", "{%0, %1, %2, %3}", "%4", "%5",  //
                "+r"(word.x), "+r"(word.y), "+r"(word.z), "+r"(word.w))
#undef REDTUNE_LOAD_PREDICATED

}  // namespace redtune
