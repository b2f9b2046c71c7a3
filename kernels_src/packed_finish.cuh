// Partials added up in memory as integers, in words that count the blocks as well. The order in which they come shows
// in no result, and the block that comes last knows the sum from the additions themselves.
#pragma once

#include "kernels_src/packed_sum.cuh"
#include "kernels_src/publish.cuh"

namespace redtune {

/// Accumulators of 32-bit integers take one word, others several and their slots.
template <class Accumulator>
constexpr bool is_packed_in_one_word = sizeof(Accumulator) == sizeof(u32) && !IsFloat<Accumulator>::value;

/// One addition of 64 bits adds the value, in the upper half, where what it carries is lost as wrapping wants it, and
/// counts the block in the lower. No fence.
template <class P>
__device__ void finish_packed_in_one_word(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x != 0) return;
    const u64 before = atomicAdd(&a.header->accumulator, u64(u32(value)) << 32 | 1);
    if (u32(before) != gridDim.x - 1) return;
    atomicExch(&a.header->accumulator, u64(0));
    store_result(a, typename P::Accumulator(u32(before >> 32) + u32(value)));
}

/// Integers of 64 bits add up as they are.
struct Integers {
    static constexpr int words = 2;

    __device__ bool encode(u64 value, u32 (&number)[words]) const {
        number[0] = u32(value);
        number[1] = u32(value >> 32);
        return true;
    }
    __device__ u64 decode(const PackedSum<words>& sum) const { return sum.lower(0) + (sum.word(1) << 32); }
};

/// `value` is valid in thread 0. encoding: Integers, or the FixedPoint that all blocks have found. A value that it
/// cannot encode escapes: it is left in the block's slot, as are all where there are too many blocks to count. Slots
/// are zero between calls.
template <class P, class Encoding>
__device__ void finish_packed(const Arguments<P>& a, typename P::Accumulator value, const Encoding& encoding) {
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;
    using Partial = Published<Accumulator>;
    static_assert(Op::is_addition, "values add up");
    if (threadIdx.x >= 32) return;
    auto* words = static_cast<typename Partial::Word*>(a.slots);

    bool is_collecting = false;
    if (threadIdx.x == 0) {
        const bool is_counted = gridDim.x <= most_packed_parts;
        u32 number[Encoding::words];
        const bool is_escaped = !is_counted || !encoding.encode(value, number);
        if (is_escaped) {
#pragma unroll
            for (u32& word : number) word = 0;
            words[blockIdx.x] = Partial::encode(value);
            __threadfence();  // ahead of the additions
        }
        if (is_counted) {
            PackedSum<Encoding::words> sum;
            if (add_packed(a.header, number, is_escaped, sum)) {
                value = Accumulator(encoding.decode(sum));
                is_collecting = sum.escaped() != 0;
                if (is_collecting) {
                    __threadfence();  // the additions ahead of what escaped
                } else {
                    store_result(a, value);
                }
            }
        } else {
            is_collecting = arrives_last(a.header);
            value = Op::identity();
        }
    }
    if (__shfl_sync(full_warp, u32(is_collecting), 0) == 0) return;
    __syncwarp();  // what escaped is visible to all
    if (threadIdx.x != 0) value = Op::identity();
    constexpr u32 at_once = 4;
    for (u32 first = threadIdx.x; first < gridDim.x; first += at_once * 32) {
        typename Partial::Word held[at_once];
#pragma unroll
        for (u32 i = 0; i < at_once; ++i) held[i] = words[first + i * 32 < gridDim.x ? first + i * 32 : first];
#pragma unroll
        for (u32 i = 0; i < at_once; ++i) {
            if (first + i * 32 >= gridDim.x || !Partial::is_there(held[i])) continue;
            value = Op::combine(value, Partial::decode(held[i]));
            words[first + i * 32] = Partial::nothing();
        }
    }
    value = combine_warp<Op>(value);
    if (threadIdx.x == 0) store_result(a, value);
}

}  // namespace redtune
