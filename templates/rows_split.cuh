/*redtune
family  = "rows_split"
summary = "Rows: several blocks with wide loads for each row; a second launch combines their partials; for few, long rows"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["rows"]
grows_with_row_length = "blocks_per_row"

[role]
represents_redtune = true

[compile]
block        = [128, 256, 512]
unroll       = [1, 2, 4]
vector_bytes = [4, 8, 16]

[launch]
blocks_per_row = [2, 4, 8, 16, 32, 64, 128, 256]

[derived]
tile         = "block * unroll * vector_bytes / input_bytes"
grid         = "'rows'"
continuation = "'combine_partials'"
slot_bytes   = "accumulator_bytes"
where        = ["vector_bytes >= input_bytes",
                "blocks_per_row * tile <= row_length",                   # each block has at least one whole tile
                "rows * blocks_per_row <= 16 * sm_count or rows <= sm_count",
                "unroll * vector_bytes >= 16"]
*/
#pragma once

#include "kernels_src/rows.cuh"

namespace redtune {

template <class Problem, int block, int unroll, int vector_bytes>
__global__ void __launch_bounds__(block) rows_split(const Arguments<Problem> a) {
    const u32 parts = blocks_per_row(a);
    using L = LoadPolicy<block, unroll, vector_bytes, vector_bytes>;
    auto value = accumulate_span<Problem, L>(row_span(a, blockIdx.x / parts), threadIdx.x, blockIdx.x % parts, parts);
    value = combine_block<typename Problem::Operator, block>(value);
    if (threadIdx.x == 0) static_cast<typename Problem::Accumulator*>(a.slots)[blockIdx.x] = value;
}

}  // namespace redtune
