// One value of each thread to one of the warp or the block, in a fixed order.
#pragma once

#include "kernels_src/operators.cuh"

namespace redtune {

constexpr u32 full_warp = 0xffffffffu;

/// The value of the lane `offset` above, for any accumulator type. All 32 lanes call it.
template <class T>
__device__ T shuffle_down(T value, int offset) {
    static_assert(sizeof(T) % sizeof(u32) == 0, "accumulators are whole words");
    u32 words[sizeof(T) / sizeof(u32)];
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (u32& word : words) word = __shfl_down_sync(full_warp, word, offset);
    memcpy(&value, words, sizeof(T));
    return value;
}

/// The values of each group of `lanes` neighbouring lanes combined; valid in the first lane of a group. All 32 lanes
/// call it; `lanes` is a power of two.
template <class Op, int lanes = 32, class Accumulator>
__device__ Accumulator combine_warp(Accumulator value) {
#pragma unroll
    for (int offset = lanes / 2; offset > 0; offset /= 2) {
        value = Op::combine(value, shuffle_down(value, offset));
    }
    return value;
}

/// The block's values combined; valid in thread 0. All threads call it; `block` is a multiple of 32, at most 1024.
/// A second call in one kernel needs a __syncthreads() between: both use the same shared memory.
template <class Op, int block, class Accumulator>
__device__ Accumulator combine_block(Accumulator value) {
    static_assert(block % 32 == 0 && block <= 1024, "whole warps");
    constexpr int warps = block / 32;
    value = combine_warp<Op>(value);
    if (warps == 1) return value;
    __shared__ Accumulator of_warp[warps];
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < warps ? of_warp[threadIdx.x] : Op::identity();
        value = combine_warp<Op, warps>(value);
    }
    return value;
}

}  // namespace redtune
