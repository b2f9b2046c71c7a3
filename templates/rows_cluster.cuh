/*redtune
family  = "rows_cluster"
summary = "Rows: a cluster of blocks for each row, combined in distributed shared memory; for long rows"
origin  = "redtune; clusters are NVIDIA's thread block clusters"
minimum_compute_capability = "9.0"
shapes  = ["rows"]
grows_with_row_length = "cluster"

[role]
represents_redtune = true

[compile]
block        = [128, 256, 512]
unroll       = [1, 2, 4, 8]
vector_bytes = [8, 16]
path         = ["read_only", "no_allocate"]

[launch]
cluster = [2, 4, 8, 16]

[derived]
tile           = "block * unroll * vector_bytes / input_bytes"
grid           = "'rows'"
blocks_per_row = "cluster"
where          = ["vector_bytes >= input_bytes",
                  "unroll * vector_bytes >= 16",
                  "cluster * tile < 2 * row_length",       # at most half of the threads are idle
                  "row_length <= 16 * cluster * tile",     # longer rows need more threads
                  # the cache policy of loads matters only for inputs that take longer to read than a launch takes
                  "path = 'read_only' or n * input_bytes >= l2_bytes / 16"]
*/
#pragma once

#include "kernels_src/rows.cuh"

namespace redtune {

template <class Problem, int block, int unroll, int vector_bytes, Path path>
__global__ void __launch_bounds__(block) rows_cluster(const Arguments<Problem> a) {
    using Op = typename Problem::Operator;
    using L = LoadPolicy<block, unroll, vector_bytes, vector_bytes, path>;
    begin_combine_cluster<typename Problem::Accumulator, block>();
    const u64 row = blockIdx.x / cluster_size();
    auto value = accumulate_span<Problem, L>(row_span(a, row), threadIdx.x, cluster_rank(), cluster_size());
    value = combine_cluster<Op, block>(value);
    if (cluster_rank() == 0 && threadIdx.x == 0) store_row(a, row, value);
}

}  // namespace redtune
