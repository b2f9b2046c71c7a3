// The packed finish, for sums. Each block adds its value and a count of 1 to one or two 64-bit words by atomic integer
// additions, whose order does not change the result. The additions are `red` instructions, which return nothing, so a
// block exits without waiting for the round trip. The first block polls the words until all blocks are counted; the
// other blocks need forward progress while it polls. A fence is needed only for floats that do not fit the fixed-point
// format.
#pragma once

#include "kernels_src/fixed_point.cuh"
#include "kernels_src/publish.cuh"
#include "kernels_src/sample.cuh"

namespace redtune {

/// The maximum number of blocks that finish_packed_int64() can count.
constexpr u32 max_packed_parts = 0xffff;

/// Sums 32-bit integers in one word. The upper half is the sum, whose carry out of the word is lost, so the sum wraps.
/// The lower half is the count of blocks. `value` is valid in thread 0.
template <class P>
__device__ void finish_packed_int32(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x != 0) return;
    u64* const sum_and_count = &a.header->accumulator;
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
    u64* const lower_word = &a.header->accumulator;
    u64* const upper_word = &a.header->upper_accumulator;
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

/// Combines thread 0's value with the out-of-range partials in the slots and returns the result, valid in lane 0. Sets
/// the slots of these partials back to zero. All lanes of one warp call it.
template <class Op, class Accumulator>
__device__ Accumulator combine_out_of_range(typename FlaggedPartial<Accumulator>::Word* slots, Accumulator value) {
    using Partial = FlaggedPartial<Accumulator>;
    if (threadIdx.x != 0) value = Op::identity();
    for (u32 part = threadIdx.x; part < gridDim.x; part += 32) {
        const auto word = slots[part];
        if (!Partial::is_stored(word)) continue;
        value = Op::combine(value, Partial::decode(word));
        slots[part] = Partial::empty();
    }
    return combine_warp<Op>(value);
}

/// Adds a block's value to the packed word. A value out of the fixed-point range goes to the block's slot instead, and
/// is counted in overflow_count. One thread calls it.
template <class P>
__device__ void add_packed_float(const Arguments<P>& a, float value, const FixedPoint& fixed_point) {
    using Partial = FlaggedPartial<float>;
    u64 word = 0;
    const bool is_in_range = fixed_point.encode(value, word);
    if (__builtin_expect(!is_in_range, false)) {
        // `opaque` keeps the computation of the slot's address out of the common path.
        static_cast<Partial::Word*>(a.slots)[opaque(blockIdx.x)] = Partial::encode(value);
        __threadfence();  // release: the slot is visible before the count
        add_relaxed(&a.header->overflow_count, 1);
        return;
    }
    add_relaxed(&a.header->accumulator, word);
}

/// Sums 32-bit floats as fixed-point numbers in one word with a count of blocks. All blocks use the same format. A
/// value that is out of its range is stored in the block's slot and counted in overflow_count instead (out-of-range
/// partial). `value` is valid in thread 0; the slots are zero between calls. All threads call it.
template <class P>
__device__ void finish_packed_floats(const Arguments<P>& a, float value, const FixedPoint& fixed_point) {
    using Partial = FlaggedPartial<float>;
    if (threadIdx.x >= 32) return;
    if (blockIdx.x != 0) {
        if (threadIdx.x == 0) add_packed_float(a, value, fixed_point);
        return;
    }
    auto* const slots = static_cast<Partial::Word*>(a.slots);
    bool are_all_in_range = true;
    if (threadIdx.x == 0) {
        u64 first_word = 0;  // the encoded value of this block, block 0
        if (__builtin_expect(!fixed_point.encode(value, first_word), false)) {
            slots[0] = Partial::encode(value);
            first_word = 0;
            are_all_in_range = false;
        }
        const u32 others = gridDim.x - 1;
        u64 word;
        u64 overflow_count;
        do {
            word = load_relaxed(&a.header->accumulator);
            overflow_count = load_relaxed(&a.header->overflow_count);
            // The loop usually ends here, without waiting for the second load.
            if (fixed_point.count(word) == others) break;
        } while (fixed_point.count(word) + u32(overflow_count) != others);
        are_all_in_range = are_all_in_range && fixed_point.count(word) == others;
        value = fixed_point.sum(word + first_word);
        if (are_all_in_range) store_result(a, value);
        store_relaxed(&a.header->accumulator, 0);
        if (__builtin_expect(!are_all_in_range, false)) {
            store_relaxed(&a.header->overflow_count, 0);
            __threadfence();  // acquire: the counts are read before the slots
        }
    }
    if (__shfl_sync(full_warp, u32(are_all_in_range), 0) != 0) return;
    __syncwarp();  // the slots are visible to all lanes
    value = combine_out_of_range<typename P::Operator>(slots, value);
    if (threadIdx.x == 0) store_result(a, value);
}

/// Combines each thread's `value` into the result. sample: from load_sample(), for floats. If there are more blocks
/// than the words can count, the blocks publish instead. All threads call it.
template <class P, int block>
__device__ void finish_packed(const Arguments<P>& a, typename P::Accumulator value, const Sample<P>& sample) {
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;
    constexpr bool is_float = IsFloat<Accumulator>::value;
    static_assert(Op::is_addition && (sizeof(value) == sizeof(u32) || !is_float),
                  "32-bit floats or integers that are added");
    if constexpr (!is_float && sizeof(value) == sizeof(u32)) {
        finish_packed_int32<P>(a, combine_block<Op, block>(value));
    } else if (__builtin_expect(gridDim.x > (is_float ? FixedPoint::max_parts : max_packed_parts), false)) {
        finish_publish<P, block>(a, combine_block<Op, block>(value), opaque(blockIdx.x), gridDim.x);
    } else if constexpr (is_float) {
        const FixedPoint fixed_point(largest_exponent(sample), a.n, gridDim.x);
        finish_packed_floats<P>(a, combine_block<Op, block>(value), fixed_point);
    } else {
        finish_packed_int64<P>(a, combine_block<Op, block>(value));
    }
}

}  // namespace redtune
