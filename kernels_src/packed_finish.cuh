// Partials added up in memory as integers, in words that count the blocks as well. The order in which they come shows
// in no result. The blocks ask for no answer: the first one looks at the words until all have been counted, which takes
// less time than an addition that returns what was there before. No fence, but for floats that have no place in the
// words. Needs the other blocks to make progress while the first waits.
#pragma once

#include "kernels_src/fixed_point.cuh"
#include "kernels_src/publish.cuh"
#include "kernels_src/sample.cuh"

namespace redtune {

/// Blocks that the words of integers can count.
constexpr u32 most_packed_parts = 0xffff;

/// Integers of 32 bits: one addition of 64 bits adds the value, in the upper half, where what it carries is lost as
/// wrapping wants it, and counts the block in the lower.
template <class P>
__device__ void finish_packed_words(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x != 0) return;
    u64* const words = &a.header->accumulator;
    if (blockIdx.x != 0) {
        add_relaxed(words, u64(u32(value)) << 32 | 1);
        return;
    }
    u64 word;
    do {
        word = load_relaxed(words);
    } while (u32(word) != gridDim.x - 1);
    store_result(a, typename P::Accumulator(u32(word >> 32) + u32(value)));
    store_relaxed(words, 0);
}

/// Integers of 64 bits, in two words that count the blocks apart: the lower one has 16 bits for the count and 48 for
/// the sum of the values' lower halves, the upper one 32 for the sum of the upper halves, as more is lost, and 16 for
/// the count.
template <class P>
__device__ void finish_packed_pairs(const Arguments<P>& a, typename P::Accumulator value) {
    constexpr int lower_bits = 48;
    if (threadIdx.x != 0) return;
    u64* const lower_word = &a.header->accumulator;
    u64* const upper_word = &a.header->beside;
    if (blockIdx.x != 0) {
        add_relaxed(lower_word, u64(1) << lower_bits | u32(u64(value)));
        add_relaxed(upper_word, u64(value) >> 32 << 32 | 1);
        return;
    }
    u64 lower;
    u64 upper;
    do {
        lower = load_relaxed(lower_word);
        upper = load_relaxed(upper_word);
    } while (u32(lower >> lower_bits) != gridDim.x - 1 || u32(upper) != gridDim.x - 1);
    const u64 sum = (lower & ((u64(1) << lower_bits) - 1)) + (upper >> 32 << 32);
    store_result(a, typename P::Accumulator(sum + u64(value)));
    store_relaxed(lower_word, 0);
    store_relaxed(upper_word, 0);
}

/// What blocks have left in their slots, combined with thread 0's value; the slots are nothing then. For one warp.
template <class Op, class Accumulator>
__device__ Accumulator collect_escaped(typename Published<Accumulator>::Word* words, Accumulator value) {
    using Partial = Published<Accumulator>;
    if (threadIdx.x != 0) value = Op::identity();
    for (u32 part = threadIdx.x; part < gridDim.x; part += 32) {
        const auto word = words[part];
        if (!Partial::is_there(word)) continue;
        value = Op::combine(value, Partial::decode(word));
        words[part] = Partial::nothing();
    }
    return combine_warp<Op>(value);
}

/// What finish_packed_floats() does in all blocks but the first, for one thread.
template <class P>
__device__ void hand_over_float(const Arguments<P>& a, float value, const FixedPoint& fixed_point) {
    using Partial = Published<float>;
    u64 word = 0;
    const bool has_place = fixed_point.encode(value, word);
    if (__builtin_expect(!has_place, false)) {
        static_cast<Partial::Word*>(a.slots)[opaque(blockIdx.x)] = Partial::encode(value);
        __threadfence();  // what was left, ahead of the count
        add_relaxed(&a.header->beside, 1);
        return;
    }
    add_relaxed(&a.header->accumulator, word);
}

/// Floats of 32 bits, in the fixed point that all blocks have found. A value that has no place there escapes: it is
/// left in the block's slot, and counted in a word of its own. `value` is valid in thread 0; slots are zero between
/// calls.
template <class P>
__device__ void finish_packed_floats(const Arguments<P>& a, float value, const FixedPoint& fixed_point) {
    using Partial = Published<float>;
    if (threadIdx.x >= 32) return;
    if (blockIdx.x != 0) {
        if (threadIdx.x == 0) hand_over_float(a, value, fixed_point);
        return;
    }
    auto* const slots = static_cast<Partial::Word*>(a.slots);
    bool is_complete = true;  // no value has escaped
    if (threadIdx.x == 0) {
        u64 own = 0;
        if (__builtin_expect(!fixed_point.encode(value, own), false)) {
            slots[0] = Partial::encode(value);
            own = 0;
            is_complete = false;
        }
        const u32 others = gridDim.x - 1;
        u64 word;
        u64 escaped;
        do {
            word = load_relaxed(&a.header->accumulator);
            escaped = load_relaxed(&a.header->beside);
            // Looked at first, as it is what most calls end with.
            if (fixed_point.count(word) == others) break;
        } while (fixed_point.count(word) + u32(escaped) != others);
        is_complete = is_complete && fixed_point.count(word) == others;
        value = fixed_point.sum(word + own);
        if (is_complete) store_result(a, value);
        store_relaxed(&a.header->accumulator, 0);
        if (__builtin_expect(!is_complete, false)) {
            store_relaxed(&a.header->beside, 0);
            __threadfence();  // the counts ahead of what was left
        }
    }
    if (__shfl_sync(full_warp, u32(is_complete), 0) != 0) return;
    __syncwarp();  // what was left is visible to all
    value = collect_escaped<typename P::Operator>(slots, value);
    if (threadIdx.x == 0) store_result(a, value);
}

/// Each thread's `value` becomes part of the result. sample: of take_sample(), for floats. Too many blocks to count
/// publish.
template <class P, int block>
__device__ void finish_packed(const Arguments<P>& a, typename P::Accumulator value, const Sample<P>& sample) {
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;
    constexpr bool is_float = IsFloat<Accumulator>::value;
    static_assert(Op::is_addition && (sizeof(value) == sizeof(u32) || !is_float),
                  "32-bit floats or integers that are added");
    if constexpr (!is_float && sizeof(value) == sizeof(u32)) {
        finish_packed_words<P>(a, combine_block<Op, block>(value));
    } else if (__builtin_expect(gridDim.x > (is_float ? FixedPoint::most_parts : most_packed_parts), false)) {
        finish_publish<P, block>(a, combine_block<Op, block>(value), opaque(blockIdx.x), gridDim.x);
    } else if constexpr (is_float) {
        const FixedPoint fixed_point(largest_exponent(sample), a.n, gridDim.x);
        finish_packed_floats<P>(a, combine_block<Op, block>(value), fixed_point);
    } else {
        finish_packed_pairs<P>(a, combine_block<Op, block>(value));
    }
}

}  // namespace redtune
