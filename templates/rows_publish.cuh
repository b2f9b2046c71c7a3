/*redtune
family  = "rows_publish"
summary = "Rows: several blocks with wide loads for each row, which publish their values to the row's last block; for long rows"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["rows"]
grows_with_row_length = "blocks_per_row"

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
         "unroll * (vector_bytes / input_bytes) * arrays <= 128",   # more elements do not fit into registers
         "row_length * input_bytes >= 8192",                # shorter rows do not need several blocks
         "blocks_per_row * tile < 2 * row_length",          # at most half of the threads are idle
         "row_length <= 8 * blocks_per_row * tile",         # longer rows need more threads
         "rows * blocks_per_row <= 256 * sm_count",         # limits the blocks: more rows have enough of them without
         # the cache policy of loads matters only for inputs that take longer to read than a launch takes
         "path = 'read_only' or n * input_bytes >= l2_bytes / 16",
         "path <> 'evict_first' or compute_capability >= 80"]
*/
#pragma once

#include "kernels_src/publish.cuh"
#include "kernels_src/rows.cuh"

namespace redtune {

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

/// Returns `value`, valid in thread 0, combined with the partials that the row's other blocks publish in `words`.
/// `polled` is what the first warp has loaded of them so far. The warp calls it, and polls until every lane has its
/// partials.
template <class Op, class Accumulator, int words_per_lane>
__device__ Accumulator combine_published(const typename FlaggedPartial<Accumulator>::Word* words, u32 blocks_per_row,
                                         PolledWords<Accumulator, words_per_lane> polled, Accumulator value) {
    const u32 lane = threadIdx.x;
    while (!__all_sync(full_warp, polled.is_complete(lane, 32, blocks_per_row))) {
        polled.load(words, lane, 32, blocks_per_row);
    }
    if (lane != 0) value = Op::identity();
    return combine_warp<Op>(polled.template combine<Op>(lane, 32, blocks_per_row, value));
}

template <class Problem, int block, int unroll, int vector_bytes, int blocks_per_row, Path path, int polls_last,
          Finish finish>
__global__ void __launch_bounds__(block) rows_publish(const Arguments<Problem> a) {
    static_assert(finish == Finish::publish, "the only finish of this family");
    using L = LoadPolicy<block, unroll, vector_bytes, vector_bytes, path>;
    using Op = typename Problem::Operator;
    using Accumulator = typename Problem::Accumulator;
    using Partial = FlaggedPartial<Accumulator>;
    const auto [row, part] = row_part<blocks_per_row, polls_last>();
    if (!row_exists(a, row)) return;
    auto* words = static_cast<typename Partial::Word*>(a.slots) + row * blocks_per_row;

    const bool polls = part == 0 && threadIdx.x < 32;
    PolledWords<Accumulator, (blocks_per_row + 31) / 32> polled{};  // zero: nothing is published yet
    // Most partials have been published when a block that polls last starts. Loading them before the block's elements
    // hides the latency, which would otherwise come after everything else.
    if (polls_last && polls) polled.load(words, threadIdx.x, 32, blocks_per_row);
    auto value =
        combine_block<Op, block>(accumulate_span<Problem, L>(row_span(a, row), threadIdx.x, part, blocks_per_row));
    if (polls) {
        value = combine_published<Op>(words, blocks_per_row, polled, value);
        if (threadIdx.x == 0) store_row(a, row, value);
        clear_words<Accumulator>(words, blocks_per_row, threadIdx.x, 32);
    } else if (part != 0 && threadIdx.x == 0) {
        store_relaxed(words + part, Partial::encode(value));
    }
}

}  // namespace redtune
