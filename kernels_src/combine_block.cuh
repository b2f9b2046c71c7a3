// One value of each thread to one of the warp or the block, in a fixed order.
#pragma once

#include "kernels_src/opaque.cuh"
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

/// Whether the hardware reduces a warp's values at once.
template <class Op, class Accumulator>
constexpr bool has_warp_reduction() {
#if defined(REDTUNE_EMULATED) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800)
    constexpr bool is_place = Op::warp_reduction == WarpReduction::place;
    constexpr bool is_order = Op::warp_reduction == WarpReduction::min || Op::warp_reduction == WarpReduction::max;
    constexpr bool is_integer = !IsFloat<Accumulator>::value;
    constexpr bool is_word = sizeof(Accumulator) == sizeof(u32) && (is_order || is_integer);
    constexpr bool is_wide_sum = Op::warp_reduction == WarpReduction::add && is_integer;
    return (is_word && Op::warp_reduction != WarpReduction::none) || is_place || is_wide_sum;
#else
    return false;
#endif
}

/// The lowest key of the warp, and of those that have it the lowest index; mostly there is one.
template <class Place>
__device__ Place reduce_places(Place value) {
    const auto lowest = [](u64 word, bool takes_part) {
        const u32 high = __reduce_min_sync(full_warp, takes_part ? u32(word >> 32) : ~u32(0));
        const bool is_low = takes_part && u32(word >> 32) == high;
        return u64(high) << 32 | __reduce_min_sync(full_warp, is_low ? u32(word) : ~u32(0));
    };
    Place result;
    if constexpr (sizeof(value.key) == sizeof(u32)) {
        result.key = __reduce_min_sync(full_warp, value.key);
    } else {
        result.key = lowest(value.key, true);
    }
    const u32 lanes = __ballot_sync(full_warp, value.key == result.key);
    if ((lanes & (lanes - 1)) == 0) {
        result.index = __shfl_sync(full_warp, value.index, __ffs(int(lanes)) - 1);
    } else {
        result.index = lowest(value.index, value.key == result.key);
    }
    return result;
}

/// The warp's values combined by the hardware; valid in all lanes.
template <class Op, class Accumulator>
__device__ Accumulator reduce_warp(Accumulator value) {
    if constexpr (Op::warp_reduction == WarpReduction::place) {
        return reduce_places(value);
    } else if constexpr (Op::warp_reduction == WarpReduction::add && sizeof(value) == sizeof(u64)) {
        // Three parts, as 32 times 27 bits fit a word.
        constexpr int bits = 27;
        constexpr u32 part = (u32(1) << bits) - 1;
        const u64 low = __reduce_add_sync(full_warp, u32(value) & part);
        const u64 middle = __reduce_add_sync(full_warp, u32(u64(value) >> bits) & part);
        const u64 high = __reduce_add_sync(full_warp, u32(u64(value) >> (2 * bits)));
        return Accumulator(low + (middle << bits) + (high << (2 * bits)));
    } else if constexpr (Op::warp_reduction == WarpReduction::add) {
        return Accumulator(__reduce_add_sync(full_warp, u32(value)));
    } else if constexpr (IsFloat<Accumulator>::value) {
        constexpr bool is_max = Op::warp_reduction == WarpReduction::max;
        const u32 rank = is_nan(value) ? (is_max ? ~0u : 0u) : rank_of(value);
        return value_of_rank<Accumulator>(is_max ? __reduce_max_sync(full_warp, rank)
                                                 : __reduce_min_sync(full_warp, rank));
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

/// The values of each group of `lanes` neighbouring lanes combined; valid in the first lane of a group. All 32 lanes
/// call it; `lanes` is a power of two.
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

/// `at_once` values, first, first + step ... as far as they are below `count`, combined behind `value`. All are loaded
/// before the first is used, the last one in place of those that are not there: loads under a condition would be waited
/// for one by one.
template <class Op, int at_once, class Accumulator, class Index>
__device__ Accumulator combine_strided(Accumulator value, const Accumulator* values, Index first, Index step,
                                       Index count) {
    Accumulator held[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
        const Index at = first + i * step;
        held[i] = values[at < count ? at : count - 1];
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
        if (first + i * step < count) value = Op::combine(value, held[i]);
    }
    return value;
}

/// The values of all warps of a block, or of several, combined in pairs by one warp; valid in its first lane. `each` of
/// them are a lane's own: reading some more costs less than a shuffle, and a few words less than a reduction in
/// hardware.
template <class Op, int count, class Accumulator>
__device__ Accumulator combine_stored(const Accumulator* values, u32 lane) {
    constexpr int each = count < 8 ? count : 8;
    constexpr bool is_place = Op::warp_reduction == WarpReduction::place;
    if constexpr (has_warp_reduction<Op, Accumulator>() && (count > each || is_place)) {
        return combine_warp<Op>(lane < count ? values[lane] : Op::identity());
    } else {
        constexpr int lanes = count / each;
        Accumulator held[each];
#pragma unroll
        for (int i = 0; i < each; ++i) held[i] = values[lane % lanes * each + i];
#pragma unroll
        for (int stride = each / 2; stride > 0; stride /= 2) {
#pragma unroll
            for (int i = 0; i < stride; ++i) held[i] = Op::combine(held[i], held[i + stride]);
        }
        return combine_warp<Op, lanes>(held[0]);
    }
}

/// The block's values combined; valid in thread 0. All threads call it; `block` is a power of two from 32 to 1024.
/// A second call in one kernel needs a __syncthreads() between: both use the same shared memory.
template <class Op, int block, class Accumulator>
__device__ Accumulator combine_block(Accumulator value) {
    static_assert(block >= 32 && block <= 1024 && (block & (block - 1)) == 0, "whole warps, a power of two of them");
    constexpr int warps = block / 32;
    if constexpr (warps == 1) return combine_warp<Op>(value);
    __shared__ alignas(16) Accumulator of_warp[warps];
    Accumulator* stored = opaque_shared(of_warp);
    value = combine_warp<Op>(value);
    if (threadIdx.x % 32 == 0) stored[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) value = combine_stored<Op, warps>(stored, threadIdx.x);
    return value;
}

}  // namespace redtune
