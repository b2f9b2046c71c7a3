// Sums of 64 bits that blocks add up in memory, in two words of which each counts the blocks as well.
#pragma once

#include "kernels_src/problem.cuh"

namespace redtune {

/// Blocks that the words can count.
constexpr u32 most_packed_parts = 0xffff;

/// Adds a block's value, which wraps. The lower word has 16 bits for the count and 48 for the sum of the values' lower
/// halves, the upper one 32 for the sum of the upper halves, as more is lost, and 16 for the count. Both additions are
/// under way at once, so that blocks may come to the words in different orders: then the block that comes last to one
/// leaves its total, and the one that comes last to the other too finds it. For one thread of each block.
/// @return whether it knows the sum, as one block of all does; the words are zero then
__device__ inline bool add_packed(WorkspaceHeader* header, u64 value, u64& sum) {
    constexpr int lower_bits = 48;
    const u64 to_lower = u64(1) << lower_bits | u32(value);
    const u64 to_upper = value >> 32 << 32 | 1;
    const u64 lower = atomicAdd(&header->accumulator, to_lower);
    const u64 upper = atomicAdd(&header->upper_half, to_upper);
    const bool is_last_of_lower = u32(lower >> lower_bits) == gridDim.x - 1;
    const bool is_last_of_upper = u32(upper) == gridDim.x - 1;
    if (!is_last_of_lower && !is_last_of_upper) return false;

    if (is_last_of_lower) atomicExch(&header->accumulator, u64(0));
    if (is_last_of_upper) atomicExch(&header->upper_half, u64(0));
    u64 of_lower = (lower + to_lower) & ((u64(1) << lower_bits) - 1);
    u64 of_upper = (upper + to_upper) >> 32;
    if (!(is_last_of_lower && is_last_of_upper)) {
        constexpr u64 is_there = u64(1) << 63;
        const u64 other = atomicExch(&header->meeting, is_there | (is_last_of_lower ? of_lower : of_upper));
        if (other == 0) return false;
        atomicExch(&header->meeting, u64(0));
        (is_last_of_lower ? of_upper : of_lower) = other & ~is_there;
    }
    sum = of_lower + (of_upper << 32);
    return true;
}

}  // namespace redtune
