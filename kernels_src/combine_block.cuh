// Combines one value of each thread over a warp or a block, in a fixed order.
#pragma once

#include "kernels_src/clamp_index.cuh"
#include "kernels_src/opaque.cuh"
#include "kernels_src/operators.cuh"

namespace redtune {

constexpr u32 full_warp = 0xffffffffu;

/// Returns the value of the lane `offset` higher, for any accumulator type. All 32 lanes call it.
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

/// Returns whether warp-wide reduction instructions (redux.sync, sm_80) can combine the operator's accumulators.
template <class Op, class Accumulator>
constexpr bool has_warp_reduction() {
#if defined(REDTUNE_EMULATED) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800)
    constexpr bool is_arg_min = Op::warp_reduction == WarpReduction::arg_min;
    constexpr bool is_order = Op::warp_reduction == WarpReduction::min || Op::warp_reduction == WarpReduction::max;
    constexpr bool is_integer = !IsFloat<Accumulator>::value;
    constexpr bool is_word = sizeof(Accumulator) == sizeof(u32) && (is_order || is_integer);
    constexpr bool is_wide_sum = Op::warp_reduction == WarpReduction::add && is_integer;
    return (is_word && Op::warp_reduction != WarpReduction::none) || is_arg_min || is_wide_sum;
#else
    return false;
#endif
}

/// Returns the lowest key of the warp and the lowest index with this key; valid in all lanes. All 32 lanes call it.
template <class T>
__device__ Indexed<T> warp_arg_min(Indexed<T> value) {
    const auto lowest = [](u64 word, bool takes_part) {
        const u32 high = __reduce_min_sync(full_warp, takes_part ? u32(word >> 32) : ~u32(0));
        const bool is_low = takes_part && u32(word >> 32) == high;
        return u64(high) << 32 | __reduce_min_sync(full_warp, is_low ? u32(word) : ~u32(0));
    };
    Indexed<T> result;
    if constexpr (sizeof(value.key) == sizeof(u32)) {
        result.key = __reduce_min_sync(full_warp, value.key);
    } else {
        result.key = lowest(value.key, true);
    }
    const u32 lanes = __ballot_sync(full_warp, value.key == result.key);
    const bool is_unique = (lanes & (lanes - 1)) == 0;  // usual case: no index needs to be compared
    if (is_unique) {
        result.index = __shfl_sync(full_warp, value.index, __ffs(int(lanes)) - 1);
    } else {
        result.index = lowest(value.index, value.key == result.key);
    }
    return result;
}

/// Returns the warp's sum of 64-bit integers. Each integer is split into three parts of at most 27 bits, which are
/// summed separately: the sum of 32 numbers of 27 bits fits in 32 bits. All 32 lanes call it.
template <class T>
__device__ T warp_sum_64(T value) {
    constexpr int bits = 27;
    constexpr u32 part = (u32(1) << bits) - 1;
    const u64 low = __reduce_add_sync(full_warp, u32(value) & part);
    const u64 middle = __reduce_add_sync(full_warp, u32(u64(value) >> bits) & part);
    const u64 high = __reduce_add_sync(full_warp, u32(u64(value) >> (2 * bits)));
    return T(low + (middle << bits) + (high << (2 * bits)));
}

/// Combines the warp's values by warp-wide reduction instructions and returns the result, valid in all lanes. All 32
/// lanes call it.
template <class Op, class Accumulator>
__device__ Accumulator reduce_warp(Accumulator value) {
    if constexpr (Op::warp_reduction == WarpReduction::arg_min) {
        return warp_arg_min(value);
    } else if constexpr (Op::warp_reduction == WarpReduction::add && sizeof(value) == sizeof(u64)) {
        return warp_sum_64(value);
    } else if constexpr (Op::warp_reduction == WarpReduction::add) {
        return Accumulator(__reduce_add_sync(full_warp, u32(value)));
    } else if constexpr (IsFloat<Accumulator>::value) {
        constexpr bool is_max = Op::warp_reduction == WarpReduction::max;
        const u32 key = is_nan(value) ? (is_max ? ~0u : 0u) : ordered_key(value);
        return value_of_ordered_key<Accumulator>(is_max ? __reduce_max_sync(full_warp, key)
                                                        : __reduce_min_sync(full_warp, key));
    } else if constexpr (Op::warp_reduction == WarpReduction::min) {
        return __reduce_min_sync(full_warp, value);
    } else if constexpr (Op::warp_reduction == WarpReduction::max) {
        return __reduce_max_sync(full_warp, value);
    } else if constexpr (Op::warp_reduction == WarpReduction::bit_and) {
        return Accumulator(__reduce_and_sync(full_warp, u32(value)));
    } else if constexpr (Op::warp_reduction == WarpReduction::bit_or) {
        return Accumulator(__reduce_or_sync(full_warp, u32(value)));
    } else {
        return Accumulator(__reduce_xor_sync(full_warp, u32(value)));
    }
}

/// Combines the values of each group of `lanes` neighbouring lanes and returns the result, valid in the first lane of
/// the group. `lanes` is a power of two. All 32 lanes call it.
template <class Op, int lanes = 32, class Accumulator>
__device__ Accumulator combine_warp(Accumulator value) {
    if constexpr (lanes == 32 && has_warp_reduction<Op, Accumulator>()) {
        return reduce_warp<Op>(value);
    } else {
#pragma unroll
        for (int offset = lanes / 2; offset > 0; offset /= 2) {
            value = Op::combine(value, shuffle_down(value, offset));
        }
        return value;
    }
}

/// Returns `value` combined with the `unroll` values values[first], values[first + stride], ...; values with an index
/// of `count` or more are skipped. All loads are issued before a loaded value is used.
template <class Op, int unroll, class Accumulator, class Index>
__device__ Accumulator combine_strided(Accumulator value, const Accumulator* values, Index first, Index stride,
                                       Index count) {
    Accumulator loaded[unroll];
#pragma unroll
    for (int i = 0; i < unroll; ++i) loaded[i] = values[clamp_index(Index(first + i * stride), count)];
#pragma unroll
    for (int i = 0; i < unroll; ++i) {
        if (first + i * stride < count) value = Op::combine(value, loaded[i]);
    }
    return value;
}

/// Combines `count` values in shared memory, one from each warp, and returns the result, valid in lane 0. All lanes of
/// one warp call it. A lane reads up to 8 values and combines them itself, which takes less time than a shuffle. A
/// warp-wide reduction instruction would also be slower than that, so it is used only for more than 8 values and for
/// arg_min.
template <class Op, int count, class Accumulator>
__device__ Accumulator combine_warp_values(const Accumulator* values, u32 lane) {
    constexpr int per_lane = count < 8 ? count : 8;
    constexpr bool is_arg_min = Op::warp_reduction == WarpReduction::arg_min;
    if constexpr (has_warp_reduction<Op, Accumulator>() && (count > per_lane || is_arg_min)) {
        return combine_warp<Op>(lane < count ? values[lane] : Op::identity());
    } else {
        constexpr int lanes = count / per_lane;
        Accumulator loaded[per_lane];
#pragma unroll
        for (int i = 0; i < per_lane; ++i) loaded[i] = values[lane % lanes * per_lane + i];
#pragma unroll
        for (int stride = per_lane / 2; stride > 0; stride /= 2) {
#pragma unroll
            for (int i = 0; i < stride; ++i) loaded[i] = Op::combine(loaded[i], loaded[i + stride]);
        }
        return combine_warp<Op, lanes>(loaded[0]);
    }
}

/// Combines the values of a block's threads and returns the result, valid in thread 0. All threads call it; `block` is
/// a power of two from 32 to 1024. A second call in one kernel needs a __syncthreads() before it, because both use the
/// same shared memory.
template <class Op, int block, class Accumulator>
__device__ Accumulator combine_block(Accumulator value) {
    static_assert(block >= 32 && block <= 1024 && (block & (block - 1)) == 0, "whole warps, a power of two of them");
    constexpr int warps = block / 32;
    if constexpr (warps == 1) return combine_warp<Op>(value);
    __shared__ alignas(16) Accumulator warp_values[warps];
    // Stops the compiler from recomputing the address after the barrier, where all threads would wait for it.
    Accumulator* stored = opaque_shared(warp_values);
    value = combine_warp<Op>(value);
    if (threadIdx.x % 32 == 0) stored[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) value = combine_warp_values<Op, warps>(stored, threadIdx.x);
    return value;
}

}  // namespace redtune
