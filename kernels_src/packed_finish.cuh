// Partials added up in memory as integers, in words that count the blocks as well. The order in which they come shows
// in no result, and the block that comes last knows the sum from the additions themselves: no fence, but for floats that
// have no place in the words.
#pragma once

#include "kernels_src/packed_sum.cuh"
#include "kernels_src/publish.cuh"
#include "kernels_src/sample.cuh"

namespace redtune {

/// Integers of 32 bits: one addition of 64 bits adds the value, in the upper half, where what it carries is lost as
/// wrapping wants it, and counts the block in the lower.
template <class P>
__device__ void finish_packed_words(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x != 0) return;
    const u64 before = atomicAdd(&a.header->accumulator, u64(u32(value)) << 32 | 1);
    if (u32(before) != gridDim.x - 1) return;
    atomicExch(&a.header->accumulator, u64(0));
    store_result(a, typename P::Accumulator(u32(before >> 32) + u32(value)));
}

/// Integers of 64 bits.
template <class P>
__device__ void finish_packed_pairs(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x != 0) return;
    u64 sum = 0;
    if (add_packed(a.header, u64(value), sum)) store_result(a, typename P::Accumulator(sum));
}

/// For one thread of the first block whose value has escaped: waits until all blocks have added theirs or left it.
/// @return the sum of what was added. What they left is visible then, and the words are zero
__device__ inline u64 wait_for_packed(WorkspaceHeader* header, const FixedPoint& fixed_point) {
    u64 word = 0;
    u64 escaped = 0;
    while (fixed_point.count(word) + escaped != gridDim.x) {
        escaped = load_relaxed(&header->escaped);
        word = load_relaxed(&header->accumulator);
    }
    __threadfence();  // their counts ahead of what they left
    atomicExch(&header->accumulator, u64(0));
    atomicExch(&header->escaped, u64(0));
    return word;
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

/// Floats of 32 bits, in the fixed point that all blocks have found. A value that has no place there escapes: it is
/// left in the block's slot, and the first block to which that happens waits for all others, as it does in
/// finish_publish(). `value` is valid in thread 0; slots are zero between calls.
template <class P>
__device__ void finish_packed_floats(const Arguments<P>& a, float value, const FixedPoint& fixed_point) {
    using Op = typename P::Operator;
    using Partial = Published<float>;
    if (threadIdx.x >= 32) return;
    auto* words = static_cast<Partial::Word*>(a.slots);

    bool is_collecting = false;
    if (threadIdx.x == 0) {
        u64 word = 0;
        if (fixed_point.encode(value, word)) {
            const u64 before = atomicAdd(&a.header->accumulator, word);
            if (fixed_point.count(before) == gridDim.x - 1) {
                atomicExch(&a.header->accumulator, u64(0));
                store_result(a, fixed_point.sum(before + word));
            }
        } else {
            words[blockIdx.x] = Partial::encode(value);
            __threadfence();  // ahead of the count
            is_collecting = atomicAdd(&a.header->escaped, u64(1)) == 0;
            if (is_collecting) value = fixed_point.sum(wait_for_packed(a.header, fixed_point));
        }
    }
    if (__shfl_sync(full_warp, u32(is_collecting), 0) == 0) return;
    __syncwarp();  // what escaped is visible to all
    value = collect_escaped<Op>(words, value);
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
    } else if (gridDim.x > (is_float ? FixedPoint::most_parts : most_packed_parts)) {
        finish_publish<P, block, 1>(a, combine_block<Op, block>(value), blockIdx.x, gridDim.x);
    } else if constexpr (is_float) {
        const FixedPoint fixed_point(largest_exponent(sample), a.n, gridDim.x);
        finish_packed_floats<P>(a, combine_block<Op, block>(value), fixed_point);
    } else {
        finish_packed_pairs<P>(a, combine_block<Op, block>(value));
    }
}

}  // namespace redtune
