// Integers of several words that blocks add up in memory, where each word counts the blocks as well.
#pragma once

#include "kernels_src/problem.cuh"

namespace redtune {

/// What all blocks have added. A word has 32 bits of each block's number, whose sum takes 48, and 16 bits that count
/// the blocks; the last word has no more than 32 bits of the sum, as numbers wrap, and counts those that escaped too.
template <int words>
struct PackedSum {
    u64 total[words];

    __device__ u64 lower(int i) const { return total[i] & ((u64(1) << 48) - 1); }
    /// Of the last, 32 bits.
    __device__ u64 word(int i) const { return i == words - 1 ? total[i] >> 32 : lower(i); }
    __device__ u32 escaped() const { return u32(total[words - 1] >> 16) & 0xffff; }

    /// What a block adds to word i.
    static __device__ u64 share(int i, u32 bits, bool is_escaped) {
        return i == words - 1 ? u64(bits) << 32 | u64(is_escaped) << 16 | 1 : u64(1) << 48 | bits;
    }
    static __device__ u32 count(int i, u64 total) { return i == words - 1 ? u32(total & 0xffff) : u32(total >> 48); }
};

/// Blocks that can be counted.
constexpr u32 most_packed_parts = 0xffff;

/// Adds a block's number, and whether it escaped. All additions are under way at once, so that blocks may come to the
/// words in different orders: then those that come last to one, but not to all, leave its total, and the last of them
/// collects the others'. For one thread of each block.
/// @return whether it knows the sum, as one block of all does; all words are zero then
template <int words>
__device__ bool add_packed(WorkspaceHeader* header, const u32 (&number)[words], bool is_escaped,
                           PackedSum<words>& sum) {
    using Sum = PackedSum<words>;
    u64 before[words];
#pragma unroll
    for (int i = 0; i < words; ++i) {
        before[i] = atomicAdd(&header->packed[i], Sum::share(i, number[i], is_escaped));
    }
    bool is_last[words];
    int complete = 0;
#pragma unroll
    for (int i = 0; i < words; ++i) {
        is_last[i] = Sum::count(i, before[i]) == gridDim.x - 1;
        complete += is_last[i] ? 1 : 0;
    }
    if (complete == 0) return false;

#pragma unroll
    for (int i = 0; i < words; ++i) {
        sum.total[i] = before[i] + Sum::share(i, number[i], is_escaped);
        if (is_last[i]) atomicExch(&header->packed[i], u64(0));
    }
    if (complete == words) return true;

#pragma unroll
    for (int i = 0; i < words; ++i) {
        if (is_last[i]) header->totals[i] = sum.total[i];
    }
    __threadfence();  // the totals, and what the additions have seen, ahead of the count
    if (atomicAdd(&header->complete, u32(complete)) + complete != words) return false;
    __threadfence();  // the count ahead of the others' totals
#pragma unroll
    for (int i = 0; i < words; ++i) {
        if (!is_last[i]) sum.total[i] = header->totals[i];
        header->totals[i] = 0;
    }
    atomicExch(&header->complete, 0u);
    return true;
}

}  // namespace redtune
