/*redtune
family  = "columns_wide"
summary = "Columns of wide matrices of few rows: every thread has all rows of its columns and stores whole vectors"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["columns"]

[role]
represents_redtune = true

[compile]
block        = [128, 256, 512]
vectors      = [1, 2, 4]      # vectors of neighbouring columns of a thread
unroll       = [1, 2, 4, 8]   # rows of each vector that a thread loads at once
vector_bytes = [8, 16]
path         = ["read_only", "no_allocate"]

[defaults]
path = "read_only"

[derived]
tile              = "block * vectors * unroll * vector_bytes / input_bytes"
grid              = "'columns'"
columns_per_block = "block * vectors * (vector_bytes / input_bytes)"
slot_bytes        = 0
matrix_rows       = "n / columns"
where             = ["columns * input_bytes % vector_bytes = 0",
                     "vectors * unroll <= 8",
                     # registers: a thread holds so many elements at once
                     "vectors * unroll * (vector_bytes / input_bytes) * arrays <= 32",
                     "unroll = 1 or unroll <= matrix_rows",           # rows that exist
                     "matrix_rows <= 64",                             # longer columns need several threads each
                     # more vectors only where there are blocks for all SMs
                     "vectors = 1 or columns_per_block * sm_count <= columns",
                     "columns_per_block <= columns",
                     # the cache policy of loads matters only for inputs that take longer to read than a launch takes
                     "path = 'read_only' or n * input_bytes >= l2_bytes / 16"]
*/
#pragma once

#include "kernels_src/wide_columns.cuh"

namespace redtune {

template <class Problem, int block, int vectors, int unroll, int vector_bytes, Path path>
__global__ void __launch_bounds__(block) columns_wide(const Arguments<Problem> a) {
    using L = LoadPolicy<block, unroll, vector_bytes, vector_bytes, path>;
    if (rows_are_vectors<vector_bytes>(a)) {
        reduce_wide_columns<Problem, L, true, vectors>(a);
    } else {
        reduce_wide_columns<Problem, L, false, vectors>(a);
    }
}

}  // namespace redtune
