/*redtune
family  = "rows_wide"
summary = "Rows: a part of a warp, a warp or a block for each row; wide loads, several in flight in each thread"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["rows"]

[role]
represents_redtune = true

[compile]
block           = [128, 256, 512, 1024]
threads_per_row = [2, 4, 8, 16, 32, 128, 256, 512, 1024]
unroll          = [1, 2, 4]
vector_bytes    = [4, 8, 16]

[derived]
tile           = "block * unroll * vector_bytes / input_bytes"
grid           = "'rows'"
rows_per_block = "block / threads_per_row"
where          = ["vector_bytes >= input_bytes",
                  "threads_per_row <= 32 or threads_per_row = block",
                  "block <= 256 or threads_per_row = block",         # rows of up to a warp gain nothing from large blocks
                  # at most half of the threads are idle, and long rows are shared by more threads
                  "threads_per_row * unroll * vector_bytes <= max(2 * vector_bytes, 2 * row_length * input_bytes)",
                  "row_length * input_bytes <= 64 * threads_per_row * unroll * vector_bytes or threads_per_row >= 512"]
*/
#pragma once

#include "kernels_src/rows.cuh"

namespace redtune {

template <class Problem, int block, int threads_per_row, int unroll, int vector_bytes>
__global__ void __launch_bounds__(block) rows_wide(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    const u32 rank = threadIdx.x % threads_per_row;
    const u64 row = (u64(blockIdx.x) * block + threadIdx.x) / threads_per_row;

    using L = LoadPolicy<threads_per_row, unroll, vector_bytes, vector_bytes>;
    auto value = accumulate_span<Problem, L>(row_span(a, row), rank, 0, 1);
    if constexpr (threads_per_row <= 32) {
        value = combine_warp<Op, threads_per_row>(value);
    } else {
        value = combine_block<Op, block>(value);
    }
    if (rank == 0) store_row(a, row, value);
}

}  // namespace redtune
