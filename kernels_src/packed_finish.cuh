// The packed finish, for sums. Each block adds its value and a count of 1 to 64-bit words by atomic integer additions,
// whose order does not change the result. The additions are `red` instructions, which return nothing, so a block exits
// without waiting for the round trip. The first block polls the words until all blocks are counted; the other blocks
// need forward progress while it polls. No fence is needed, because value and count are in one word.
#pragma once

#include "kernels_src/float_bins.cuh"
#include "kernels_src/publish.cuh"

namespace redtune {

/// The maximum number of blocks that finish_packed_int64() can count.
constexpr u32 max_packed_parts = 0xffff;

/// Sums 32-bit integers in one word. The upper half is the sum, whose carry out of the word is lost, so the sum wraps.
/// The lower half is the count of blocks. `value` is valid in thread 0.
template <class P>
__device__ void finish_packed_int32(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x != 0) return;
    u64* const sum_and_count = &a.header->accumulators[0];
    if (blockIdx.x != 0) {
        add_relaxed(sum_and_count, u64(u32(value)) << 32 | 1);
        return;
    }
    u64 word;
    do {
        word = load_relaxed(sum_and_count);
    } while (u32(word) != gridDim.x - 1);
    store_result(a, typename P::Accumulator(u32(word >> 32) + u32(value)));
    store_relaxed(sum_and_count, 0);
}

/// Sums 64-bit integers in two words, each with a count of blocks. The lower word has the count in its upper 16 bits
/// and the sum of the values' lower halves in the other 48. The upper word has the sum of the values' upper halves in
/// its upper 32 bits, whose carry out is lost, and the count in the other 32. `value` is valid in thread 0.
template <class P>
__device__ void finish_packed_int64(const Arguments<P>& a, typename P::Accumulator value) {
    constexpr int sum_bits = 48;
    if (threadIdx.x != 0) return;
    u64* const lower_word = &a.header->accumulators[0];
    u64* const upper_word = &a.header->accumulators[1];
    if (blockIdx.x != 0) {
        add_relaxed(lower_word, u64(1) << sum_bits | u32(u64(value)));
        add_relaxed(upper_word, u64(value) >> 32 << 32 | 1);
        return;
    }
    u64 lower;
    u64 upper;
    do {
        lower = load_relaxed(lower_word);
        upper = load_relaxed(upper_word);
    } while (u32(lower >> sum_bits) != gridDim.x - 1 || u32(upper) != gridDim.x - 1);
    const u64 sum = (lower & ((u64(1) << sum_bits) - 1)) + (upper >> 32 << 32);
    store_result(a, typename P::Accumulator(sum + u64(value)));
    store_relaxed(lower_word, 0);
    store_relaxed(upper_word, 0);
}

/// Returns the sum of the warp's values; valid in all lanes. All lanes of a warp call it.
__device__ inline u32 sum_in_all_lanes(u32 value) {
    using Op = Sum<u32, u32, u32>;
    const u32 sum = combine_warp<Op>(value);
    return has_warp_reduction<Op, u32>() ? sum : __shfl_sync(full_warp, sum, 0);
}

/// Sums 32-bit floats in one word for each bin of exponents, whose counts add up to the number of blocks. The time
/// hardly depends on the values. `value` is valid in thread 0. All threads call it.
template <class P>
__device__ void finish_packed_floats(const Arguments<P>& a, float value) {
    u64* const words = a.header->accumulators;
    if (blockIdx.x != 0) {
        if (threadIdx.x == 0) {
            const BinnedFloat binned(value);
            add_relaxed(words + binned.bin, binned.word);
        }
        return;
    }
    if (threadIdx.x >= 32) return;
    value = __shfl_sync(full_warp, value, 0);
    const u32 others = gridDim.x - 1;
    NeighbouringBins bins;
    bool has_all;
    do {
        bins.load(words);
        // Usual case: the partials of similar blocks are in two neighbouring bins. Their lane stores the result before
        // the lanes have added their counts. `opaque` keeps the sum ahead of the branch that waits for the counts.
        const float result = opaque(bins.sum() + value);
        has_all = bins.has(others);
        if (has_all) store_result(a, result);
    } while (sum_in_all_lanes(summands_of(bins.low)) != others);
    if (__builtin_expect(!__any_sync(full_warp, has_all), false)) {
        const float sum = sum_of_bins(bins.low);
        if (threadIdx.x == 0) store_result(a, sum + value);
    }
    if (bins.low != 0) store_relaxed(words + threadIdx.x, 0);
}

/// Combines each thread's `value` into the result. If there are more blocks than the words can count, the blocks
/// publish instead. All threads call it.
template <class P, int block>
__device__ void finish_packed(const Arguments<P>& a, typename P::Accumulator value) {
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;
    constexpr bool is_float = IsFloat<Accumulator>::value;
    static_assert(Op::is_addition && (sizeof(value) == sizeof(u32) || !is_float),
                  "32-bit floats or integers that are added");
    if constexpr (!is_float && sizeof(value) == sizeof(u32)) {
        finish_packed_int32<P>(a, combine_block<Op, block>(value));
    } else if (__builtin_expect(gridDim.x > (is_float ? BinnedFloat::max_summands : max_packed_parts), false)) {
        finish_publish<P, block>(a, combine_block<Op, block>(value), opaque(blockIdx.x), gridDim.x);
    } else if constexpr (is_float) {
        finish_packed_floats<P>(a, combine_block<Op, block>(value));
    } else {
        finish_packed_int64<P>(a, combine_block<Op, block>(value));
    }
}

}  // namespace redtune
