// The tuner's own kernels: inputs, the reference, the cache reader, clocks. No candidate uses them.
#pragma once

#include "kernels_src/operators.cuh"

namespace redtune {

/// splitmix64's finaliser (Steele, Lea, Flood, 2014): neighbouring counters give unrelated words.
__device__ inline u64 scramble(u64 x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// random: floats uniform in [-1, 1) with all mantissa bits in use, integers over their whole range.
/// exact: whole numbers in [-8, 8], so that sums of floats are exact in any order while they stay below 2^24.
enum class Fill { random, exact };

template <class T, Fill fill>
__device__ T make_element(u64 index, u64 seed) {
    const u64 bits = scramble(index ^ (seed << 48));
    if constexpr (fill == Fill::exact) {
        return T(int(bits % 17) - 8);
    } else if constexpr (T(0.5) != T(0)) {
        return T(int(u32(bits >> 32))) * T(1.0 / 2147483648.0);
    } else {
        return T(bits >> 32);
    }
}

template <class T, Fill fill>
__global__ void fill_input(T* to, u64 n, u64 seed) {
    const u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        to[i] = make_element<T, fill>(i, seed);
    }
}

/// A type that sums T with no error worth naming: double for floats, wrapping 64 bits for integers.
template <class T, bool is_float = (T(0.5) != T(0))>
struct Wide {
    using type = u64;
};
template <class T>
struct Wide<T, true> {
    using type = double;
};

/// Sums of inputs gridDim.y inputs, input i at `first + i * stride` elements; partials[y * gridDim.x + x] is block
/// x's share of input y. 256 threads. Slow and simple on purpose: nothing is shared with the families.
template <class T>
__global__ void reference_sums(const T* first, u64 stride, u64 n, typename Wide<T>::type* partials) {
    using W = typename Wide<T>::type;
    __shared__ W shared[256];
    const T* input = first + blockIdx.y * stride;
    W sum = 0;
    for (u64 i = u64(blockIdx.x) * 256 + threadIdx.x; i < n; i += u64(gridDim.x) * 256) sum += W(input[i]);
    shared[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 256; ++i) sum += shared[i];
        partials[u64(blockIdx.y) * gridDim.x + blockIdx.x] = sum;
    }
}

/// Reads `count` 16-byte words, so that they displace everything else from L2. Reading leaves no dirty lines whose
/// write-back the next kernel would pay for.
__global__ void read_buffer(const uint4* from, u64 count, u32* sink) {
    u32 seen = 0;
    const u64 step = u64(gridDim.x) * blockDim.x;
    u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i + 7 * step < count; i += 8 * step) {
        uint4 held[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) held[k] = __ldcg(from + i + k * step);
#pragma unroll
        for (int k = 0; k < 8; ++k) seen ^= held[k].x ^ held[k].y ^ held[k].z ^ held[k].w;
    }
    for (; i < count; i += step) {
        const uint4 held = __ldcg(from + i);
        seen ^= held.x ^ held.y ^ held.z ^ held.w;
    }
    if (seen == 0x5eed5eedu) *sink = seen;  // keeps the loads; practically never true, and harmless
}

__device__ inline u64 global_nanoseconds() {
    u64 time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

/// SM clock cycles and nanoseconds over about the given time, one pair a call: the clock at that moment.
__global__ void probe_clock(u64 nanoseconds, u64* cycles_and_nanoseconds) {
    const u64 begin = global_nanoseconds();
    const long long begin_cycles = clock64();
    u64 now = begin;
    while (now - begin < nanoseconds) now = global_nanoseconds();
    cycles_and_nanoseconds[0] = u64(clock64() - begin_cycles);
    cycles_and_nanoseconds[1] = now - begin;
}

/// Does nothing, with the arguments of a family's kernel: the floor of a launch.
template <class Problem>
__global__ void empty(const Arguments<Problem>) {}

}  // namespace redtune
