// Kernels that call CUDA's built-in functions and return their results to tests.
#pragma once

#include "kernels_src/dependent_launch.cuh"
#include "kernels_src/load_paths.cuh"
#include "kernels_src/packed_arithmetic.cuh"
#include "kernels_src/types.cuh"

namespace builtins {

using redtune::u32;
using redtune::u64;

enum class Shuffle { index, up, down, butterfly };

template <class T>
__global__ void shuffle(const T* in, T* out, const Shuffle kind, const int argument, const int width) {
    const T mine = in[threadIdx.x];
    T got{};
    switch (kind) {
        case Shuffle::index:
            got = __shfl_sync(0xffffffffu, mine, argument, width);
            break;
        case Shuffle::up:
            got = __shfl_up_sync(0xffffffffu, mine, unsigned(argument), width);
            break;
        case Shuffle::down:
            got = __shfl_down_sync(0xffffffffu, mine, unsigned(argument), width);
            break;
        case Shuffle::butterfly:
            got = __shfl_xor_sync(0xffffffffu, mine, argument, width);
            break;
    }
    out[threadIdx.x] = got;
}

__global__ inline void vote(const int* in, int* out, const unsigned mask) {
    if ((mask >> threadIdx.x & 1u) == 0) return;
    const int set = in[threadIdx.x] >> 1;
    unsigned result = __ballot_sync(mask, set) << 2;
    result |= unsigned(__any_sync(mask, set)) << 1;
    result |= unsigned(__all_sync(mask, set));
    out[threadIdx.x] = int(result);
}

__global__ inline void reduce(const int* in, int* out) {
    const int mine = in[threadIdx.x];
    const unsigned bits = unsigned(mine);
    const unsigned results[9] = {unsigned(__reduce_add_sync(0xffffffffu, mine)),
                                 unsigned(__reduce_min_sync(0xffffffffu, mine)),
                                 unsigned(__reduce_max_sync(0xffffffffu, mine)),
                                 __reduce_add_sync(0xffffffffu, bits),
                                 __reduce_min_sync(0xffffffffu, bits),
                                 __reduce_max_sync(0xffffffffu, bits),
                                 __reduce_and_sync(0xffffffffu, bits),
                                 __reduce_or_sync(0xffffffffu, bits),
                                 __reduce_xor_sync(0xffffffffu, bits)};
    if (threadIdx.x < 9) out[threadIdx.x] = int(results[threadIdx.x]);
}

__global__ inline void block_vote(const int* in, int* out) {
    const int mine = in[threadIdx.x];
    out[3 * threadIdx.x] = __syncthreads_or(mine);
    out[3 * threadIdx.x + 1] = __syncthreads_and(mine);
    out[3 * threadIdx.x + 2] = __syncthreads_count(mine);
}

template <class T>
__global__ void atomics(T* word, T* old, const T value) {
    old[0] = atomicMin(word, value);
    old[1] = atomicMax(word, T(value / 2));
    old[2] = atomicAnd(word, value);
    old[3] = atomicOr(word, T(5));
    old[4] = atomicXor(word, value);
    const T now = *word;
    old[5] = atomicCAS(word, T(now + 1), T(77));
    old[6] = atomicCAS(word, now, value);
}

struct Sums {
    int of_int;
    unsigned of_unsigned;
    u64 of_u64;
    float of_float;
    double of_double;
    unsigned wrapping, wraps;
    unsigned shared;
    unsigned lock;
    int locked;
};

__global__ inline void atomic_sums(Sums* sums) {
    __shared__ unsigned of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    atomicAdd(&sums->of_int, 1);
    atomicAdd(&sums->of_unsigned, 1u);
    atomicAdd(&sums->of_u64, u64(1));
    atomicAdd(&sums->of_float, 1.0f);
    atomicAdd(&sums->of_double, 1.0);
    if (atomicInc(&sums->wrapping, 9) == 9) atomicAdd(&sums->wraps, 1u);
    atomicAdd(&of_block, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&sums->shared, of_block);
    // A correct spin lock: there is a fence after taking it and a fence before releasing it.
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&sums->lock, 0u, 1u) != 0) {
        }
        __threadfence();
        sums->locked += 1;
        __threadfence();
        atomicExch(&sums->lock, 0u);
    }
}

__global__ inline void copy_all_ways(const uint4* from, uint4* to) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    const auto copy = [&](auto zero, u32 part, u32 parts) {
        using T = decltype(zero);
        const auto* source = reinterpret_cast<const T*>(from + i) + part;
        auto* target = reinterpret_cast<T*>(to + i) + part;
        for (u32 k = 0; k < parts; ++k) __stcg(target + k, k % 2 == 0 ? __ldg(source + k) : __ldcs(source + k));
    };
    if (i % 5 == 0) copy(uint4{}, 0, 1);
    if (i % 5 == 1) copy(uint2{}, 0, 2);
    if (i % 5 == 2) copy(float{}, 0, 4);
    if (i % 5 == 3) copy(static_cast<unsigned short>(0), 0, 8);
    if (i % 5 == 4) {
        copy(static_cast<unsigned char>(0), 0, 8);
        memcpy(reinterpret_cast<u64*>(to + i) + 1, reinterpret_cast<const u64*>(from + i) + 1, 8);
    }
}

/// Loads one word per thread by `path`. The first word is `offset` bytes after an aligned address. With 32 threads and
/// offset 0 the last word ends at the end of the buffer.
template <redtune::Path path, class Word>
__global__ void load_by_path(const unsigned char* from, Word* to, const u32 offset) {
    redtune::wait_for_previous_kernel();
    to[threadIdx.x] = redtune::load_word<path>(reinterpret_cast<const Word*>(from + offset) + threadIdx.x);
    redtune::launch_dependents();
}

}  // namespace builtins
