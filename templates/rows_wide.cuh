/*redtune
family  = "rows_wide"
summary = "Rows: a part of a warp, a warp or a block for each row; wide loads, several in flight in each thread"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["rows"]
grows_with_row_length = "threads_per_row"

[role]
represents_redtune = true

[compile]
block           = [128, 256, 512, 1024]
threads_per_row = [1, 2, 4, 8, 16, 32, 128, 256, 512, 1024]
unroll          = [1, 2, 4, 8]
vector_bytes    = [4, 8, 16]
rows_per_thread = [1, 2, 4, 8]                  # rows whose loads a thread has in flight at once
path            = ["read_only", "no_allocate", "evict_first"]

[defaults]
rows_per_thread = 1
path            = "read_only"

[derived]
tile           = "block * unroll * vector_bytes / input_bytes"
grid           = "'rows'"
rows_per_block = "block / threads_per_row * rows_per_thread"
row_bytes      = "row_length * input_bytes"
where          = ["vector_bytes >= input_bytes",
                  "threads_per_row <= 32 or threads_per_row = block",
                  "block <= 256 or threads_per_row = block",         # rows of up to a warp gain nothing from large blocks
                  "threads_per_row > 1 or row_bytes <= unroll * vector_bytes",  # longer rows would not be coalesced
                  "unroll < 8 or vector_bytes = 16",
                  # at most half of the threads are idle, and long rows are shared by more threads
                  "threads_per_row * unroll * vector_bytes <= max(2 * vector_bytes, 2 * row_bytes)",
                  "row_bytes <= 64 * threads_per_row * unroll * vector_bytes or threads_per_row >= 512",
                  # several rows: only rows of one tile that consist of the widest possible vectors, and enough of them
                  "rows_per_thread = 1 or threads_per_row <= 32 and row_bytes <= threads_per_row * unroll * vector_bytes",
                  "rows_per_thread = 1 or row_bytes % vector_bytes = 0 and (vector_bytes = 16 or row_bytes % (2 * vector_bytes) <> 0)",
                  "rows_per_thread = 1 or rows_per_thread * unroll * vector_bytes <= 256 and rows_per_block <= 1024",
                  "rows_per_thread = 1 or rows >= rows_per_block * sm_count",
                  # the cache policy of loads matters only for inputs that take longer to read than a launch takes
                  "path = 'read_only' or n * input_bytes >= l2_bytes / 16 and rows_per_thread * unroll * vector_bytes >= 32",
                  "path <> 'evict_first' or compute_capability >= 80"]
*/
#pragma once

#include "kernels_src/row_tiles.cuh"

namespace redtune {

template <class Problem, int block, int threads_per_row, int unroll, int vector_bytes, int rows_per_thread, Path path>
__global__ void __launch_bounds__(block) rows_wide(const Arguments<Problem> a) {
    using L = LoadPolicy<threads_per_row, unroll, vector_bytes, vector_bytes, path>;
    // The rows of a warp are neighbours: `stride` rows are loaded by one instruction of the warp.
    constexpr u32 warp = threads_per_row < 32 ? 32 : threads_per_row;
    constexpr u32 stride = warp / threads_per_row;
    const u32 rank = threadIdx.x % threads_per_row;
    const u64 first_of_warp = (u64(blockIdx.x) * (block / warp) + threadIdx.x / warp) * (stride * rows_per_thread);
    const u64 row = first_of_warp + threadIdx.x % warp / threads_per_row;
    if (rows_are_tiles<Problem, L>(a)) return reduce_row_tiles<Problem, L, rows_per_thread>(a, row, stride, rank);
#pragma unroll 1
    for (u32 i = 0; i < rows_per_thread; ++i) reduce_row<Problem, L>(a, row + i * stride, rank);
}

}  // namespace redtune
