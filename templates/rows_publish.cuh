/*redtune
family  = "rows_publish"
summary = "Rows: several blocks with wide loads for each row, which publish their values to the row's last block; for long rows"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["rows"]

[role]
represents_redtune = true

[compile]
block          = [128, 256, 512]
unroll         = [1, 2, 4, 8]
vector_bytes   = [8, 16]
blocks_per_row = [2, 4, 8, 16, 32, 64]
path           = ["read_only", "no_allocate", "evict_first"]
polls_last     = [0, 1]               # 1: the blocks that poll come after all others; 0: after the others of their row
finish         = ["publish"]

[derived]
tile  = "block * unroll * vector_bytes / input_bytes"
grid  = "'rows'"
where = ["vector_bytes >= input_bytes",
         "unroll * vector_bytes >= 16",
         "unroll < 8 or vector_bytes = 16",
         "row_length * input_bytes >= 8192",                # shorter rows do not need several blocks
         "blocks_per_row * tile < 2 * row_length",          # at most half of the threads are idle
         "row_length <= 8 * blocks_per_row * tile",         # longer rows need more threads
         "rows * blocks_per_row <= 256 * sm_count",         # limits the blocks: more rows have enough of them without
         # the cache policy of loads matters only for inputs that take longer to read than a launch takes
         "path = 'read_only' or n * input_bytes >= l2_bytes / 16",
         "path <> 'evict_first' or compute_capability >= 80"]
*/
#pragma once

#include "kernels_src/finish.cuh"
#include "kernels_src/rows.cuh"

namespace redtune {

/// Returns the arguments of one row: a launch whose only result is the row's, and whose slots are those of its blocks.
template <int blocks_per_row, class Problem>
__device__ Arguments<Problem> arguments_of_row(Arguments<Problem> a, u64 row) {
    using Word = typename FlaggedPartial<typename Problem::Accumulator>::Word;
    a.slots = static_cast<Word*>(a.slots) + row * blocks_per_row;
    a.output += row;
    return a;
}

/// Row and part of a block. Part 0 is the one that polls.
struct RowPart {
    u32 row = 0;
    u32 part = 0;
};

/// Returns the row and the part of this block. GPUs start blocks in the order of their indices (CUDA does not promise it,
/// but CUB's scans rely on it, too), and the block that polls has the last index of its row: the blocks that it waits for
/// have been started before it, so the wait ends even if polling blocks occupy all SMs. If there are more blocks than fit
/// at once, `polls_last` makes the wait short, because most values have long been published then; if all fit, the results
/// of the first rows are written earlier without it.
template <int blocks_per_row, int polls_last>
__device__ RowPart row_part() {
    if constexpr (!polls_last) {
        const u32 index = blockIdx.x % blocks_per_row;
        return {blockIdx.x / blocks_per_row, blocks_per_row - 1 - index};
    }
    constexpr u32 publishing = blocks_per_row - 1;  // the blocks of a row that do not poll
    const u32 first_polling = gridDim.x / blocks_per_row * publishing;
    if (blockIdx.x >= first_polling) return {blockIdx.x - first_polling, 0};
    return {blockIdx.x / publishing, 1 + blockIdx.x % publishing};
}

template <class Problem, int block, int unroll, int vector_bytes, int blocks_per_row, Path path, int polls_last,
          Finish finish>
__global__ void __launch_bounds__(block) rows_publish(const Arguments<Problem> a) {
    static_assert(finish == Finish::publish, "the only finish of this family");
    using L = LoadPolicy<block, unroll, vector_bytes, vector_bytes, path>;
    const auto [row, part] = row_part<blocks_per_row, polls_last>();
    if (!row_exists(a, row)) return;
    auto value = accumulate_span<Problem, L>(row_span(a, row), threadIdx.x, part, blocks_per_row);
    value = combine_block<typename Problem::Operator, block>(value);
    finish_publish<Problem, block>(arguments_of_row<blocks_per_row>(a, row), value, part, blocks_per_row);
}

}  // namespace redtune
