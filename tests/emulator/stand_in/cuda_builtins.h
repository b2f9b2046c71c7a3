// CUDA's built-ins for the host compiler. This header must be included before any device code.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "device_runtime.h"

#define REDTUNE_EMULATED 1

#define __global__ __attribute__((noinline))
// Device functions are always inlined, because the compiler does not instrument a store of a call's result.
#define __device__ __attribute__((always_inline))
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(n) alignas(n)

#define threadIdx (emulator::thread_index())
#define blockIdx (emulator::block_index())
#define blockDim (emulator::block_dim())
#define gridDim (emulator::grid_dim())
#define warpSize 32

// The stand-ins are inlined, so that reports name the line of their caller.
#define EMULATOR_INLINE [[gnu::always_inline]] inline
#define EMULATOR_WHERE std::source_location where = std::source_location::current()

struct alignas(8) int2 {
    int x, y;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) double2 {
    double x, y;
};
struct alignas(16) ulonglong2 {
    unsigned long long x, y;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
using uint3 = emulator::Index3;

namespace emulator {

template <class To, class From>
EMULATOR_INLINE To bits_as(From from) {
    static_assert(sizeof(To) >= sizeof(From) || sizeof(To) <= 8);
    To to{};
    __builtin_memcpy(&to, &from, sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From));
    return to;
}

/// Returns a shared variable; rewrite_device_source replaces `__shared__ T name;` by a call of this. The lambda type
/// `Key` is unique to a declaration in each template instantiation, and so is the static variable.
template <class T, std::size_t alignment, class Key>
EMULATOR_INLINE T& shared(const char* name, Key) {
    static constinit SharedVariable variable{nullptr, sizeof(T), alignment > alignof(T) ? alignment : alignof(T), 0, 0};
    return *static_cast<T*>(shared_variable(variable, name));
}

template <class T>
EMULATOR_INLINE T* dynamic_shared() {
    return static_cast<T*>(dynamic_shared_memory());
}

template <class T>
EMULATOR_INLINE T cached_load(const T* from) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16);
    preempt();
    check_alignment(from, sizeof(T));
    return *from;
}

template <class T>
EMULATOR_INLINE void cached_store(T* to, T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16);
    preempt();
    check_alignment(to, sizeof(T));
    *to = value;
}

}  // namespace emulator

namespace redtune {

// Device code calls this instead of the C library's memcpy, so that copies that the compiler does not expand are
// checked too.
template <class To, class From>
EMULATOR_INLINE void memcpy(To* to, const From* from, std::size_t bytes) {
    emulator::track_copy(to, from, bytes);
    __builtin_memcpy(static_cast<void*>(to), from, bytes);
}

}  // namespace redtune

EMULATOR_INLINE void __syncthreads(EMULATOR_WHERE) {
    emulator::block_barrier(emulator::BlockBarrier::plain, false, where);
}
EMULATOR_INLINE int __syncthreads_or(int predicate, EMULATOR_WHERE) {
    return int(emulator::block_barrier(emulator::BlockBarrier::any, predicate != 0, where));
}
EMULATOR_INLINE int __syncthreads_and(int predicate, EMULATOR_WHERE) {
    return int(emulator::block_barrier(emulator::BlockBarrier::all, predicate != 0, where));
}
EMULATOR_INLINE int __syncthreads_count(int predicate, EMULATOR_WHERE) {
    return int(emulator::block_barrier(emulator::BlockBarrier::count, predicate != 0, where));
}

EMULATOR_INLINE void __threadfence() {
    emulator::fence(emulator::FenceScope::gpu);
}
EMULATOR_INLINE void __threadfence_system() {
    emulator::fence(emulator::FenceScope::gpu);
}
EMULATOR_INLINE void __threadfence_block() {
    emulator::fence(emulator::FenceScope::block);
}
EMULATOR_INLINE long long clock64() {
    return emulator::clock_cycles();
}
EMULATOR_INLINE void __nanosleep(unsigned) {
    emulator::preempt();
}

template <class T>
EMULATOR_INLINE T __ldg(const T* from) {
    return emulator::cached_load(from);
}
template <class T>
EMULATOR_INLINE T __ldcg(const T* from) {
    return emulator::cached_load(from);
}
template <class T>
EMULATOR_INLINE T __ldcs(const T* from) {
    return emulator::cached_load(from);
}
template <class T>
EMULATOR_INLINE void __stcg(T* to, std::type_identity_t<T> value) {
    emulator::cached_store(to, value);
}
template <class T>
EMULATOR_INLINE void __stcs(T* to, std::type_identity_t<T> value) {
    emulator::cached_store(to, value);
}

EMULATOR_INLINE int __popc(unsigned x) {
    return __builtin_popcount(x);
}
EMULATOR_INLINE int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
EMULATOR_INLINE int __clz(int x) {
    return x == 0 ? 32 : __builtin_clz(unsigned(x));
}
EMULATOR_INLINE int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
EMULATOR_INLINE int __ffs(int x) {
    return __builtin_ffs(x);
}
EMULATOR_INLINE unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

EMULATOR_INLINE unsigned __float_as_uint(float x) {
    return emulator::bits_as<unsigned>(x);
}
EMULATOR_INLINE float __uint_as_float(unsigned x) {
    return emulator::bits_as<float>(x);
}
EMULATOR_INLINE int __float_as_int(float x) {
    return emulator::bits_as<int>(x);
}
EMULATOR_INLINE float __int_as_float(int x) {
    return emulator::bits_as<float>(x);
}
EMULATOR_INLINE long long __double_as_longlong(double x) {
    return emulator::bits_as<long long>(x);
}
EMULATOR_INLINE double __longlong_as_double(long long x) {
    return emulator::bits_as<double>(x);
}

#include "stand_in/atomic_builtins.h"
#include "stand_in/warp_builtins.h"
