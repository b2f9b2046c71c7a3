/*redtune
family  = "columns_strip"
summary = "Columns: a strip of neighbouring columns for each block; wide loads along it, several rows in flight"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["columns"]

[role]
represents_redtune = true

[compile]
block           = [128, 256, 512]
threads_per_row = [8, 16, 32, 64, 128, 256, 512]   # threads with neighbouring columns
unroll          = [1, 2, 4, 8]                     # rows that a thread loads at once
vector_bytes    = [4, 8, 16]
path            = ["read_only", "no_allocate"]
finish          = ["two_kernel", "publish"]        # publish: one launch, in which the blocks of a strip wait for each other

[launch]
blocks_per_sm = [0, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16]   # 0: one block for each strip

[defaults]
path   = "read_only"
finish = "two_kernel"

[derived]
tile              = "block * unroll * vector_bytes / input_bytes"
grid              = "'columns'"
columns_per_block = "threads_per_row * (vector_bytes / input_bytes)"
strips            = "(columns + columns_per_block - 1) / columns_per_block"
parts             = "max(1, cast(blocks_per_sm * sm_count / strips as integer))"
continuation      = "iif(parts = 1 or finish = 'publish', 'none', 'combine_partials')"
combine_block     = "iif(parts <= 64, 32, 128)"
word_bytes        = "iif(accumulator_bytes <= 4, 8, 16)"    # of a published value and its flag
slot_bytes        = "iif(parts = 1, 0, iif(finish = 'publish', columns_per_block * word_bytes, accumulator_bytes))"
rows_at_once      = "block / threads_per_row * unroll"
matrix_rows       = "n / columns"
where             = ["parts > 1 or finish = 'two_kernel'",
                     "vector_bytes >= input_bytes",
                     "threads_per_row <= block",
                     # vectors of whole columns; the narrowest are loaded in single elements if they are not whole
                     "columns * input_bytes % vector_bytes = 0 or vector_bytes = max(4, input_bytes)",
                     "threads_per_row = 8 or columns_per_block < 2 * columns",      # at most half of the threads are idle
                     "block * (vector_bytes / input_bytes) * accumulator_bytes <= 49152",  # static shared memory
                     "unroll = 1 or rows_at_once <= max(1, matrix_rows)",           # rows that exist
                     "parts = 1 or parts * rows_at_once < 2 * matrix_rows",         # each part has half a tile or more
                     "parts = 1 or columns * parts <= 65536",                       # limits the second launch
                     # few blocks only for what they read in a few steps
                     "4 * strips * parts >= sm_count or matrix_rows <= 64 * parts * rows_at_once",
                     "unroll < 8 or vector_bytes >= 8",
                     # the cache policy of loads matters only for inputs that take longer to read than a launch takes
                     "path = 'read_only' or n * input_bytes >= l2_bytes / 16"]
*/
#pragma once

#include "kernels_src/column_strips.cuh"
#include "kernels_src/columns_finish.cuh"

namespace redtune {

template <class Problem, int block, int threads_per_row, int unroll, int vector_bytes, Path path, Finish finish>
__global__ void __launch_bounds__(block) columns_strip(const Arguments<Problem> a) {
    using L = LoadPolicy<threads_per_row, unroll, vector_bytes, vector_bytes, path>;
    constexpr int rows = block / threads_per_row;
    constexpr u32 strip = threads_per_row * (vector_bytes / int(sizeof(typename Problem::Input)));
    __shared__ typename Problem::Accumulator values[rows * strip];
    const u64 count = count_columns(a);
    const ColumnBlock at(u32(divide(count + strip - 1, strip)));
    if (rows_are_vectors<vector_bytes>(a)) {
        fold_strip<Problem, L, true, rows>(a, at, count, values);
    } else {
        fold_strip<Problem, L, false, rows>(a, at, count, values);
    }
    combine_shared_rows<typename Problem::Operator, block>(values, rows, strip);
    finish_columns<Problem, block, finish>(a, at, values, strip, count, [&](u32 i) { return u64(at.strip) * strip + i; });
}

}  // namespace redtune
