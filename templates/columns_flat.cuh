/*redtune
family  = "columns_flat"
summary = "Columns of narrow matrices: threads load neighbouring vectors of several rows, each lane keeps its column"
origin  = "redtune"
minimum_compute_capability = "7.5"
shapes  = ["columns"]

[role]
represents_redtune = true

[compile]
block        = [128, 256, 512, 1024]
unroll       = [1, 2, 4, 8]
vector_bytes = [4, 8, 16]
path         = ["read_only", "no_allocate"]
finish       = ["two_kernel", "publish"]     # publish: one launch, in which the blocks of a matrix wait for each other

[launch]
blocks_per_sm = [0, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16]   # 0: one block for each matrix

[defaults]
path   = "read_only"
finish = "two_kernel"

[derived]
lanes             = "vector_bytes / input_bytes"
tile              = "block * unroll * lanes"
grid              = "'columns'"
columns_per_block = "columns"
parts             = "max(1, cast(blocks_per_sm * sm_count as integer))"
continuation      = "iif(parts = 1 or finish = 'publish', 'none', 'combine_partials')"
combine_block     = "iif(parts <= 64, 32, iif(parts <= 512, 128, 512))"
word_bytes        = "iif(accumulator_bytes <= 4, 8, 16)"    # of a published value and its flag
slot_bytes        = "iif(parts = 1, 0, iif(finish = 'publish', columns_per_block * word_bytes, accumulator_bytes))"
period            = "columns / min(columns & -columns, lanes)"   # threads after which the columns of their lanes repeat
where             = ["parts > 1 or finish = 'two_kernel'",
                     "vector_bytes >= input_bytes",
                     "period <= block",
                     "8 * (block % period) <= block",            # at most one in eight threads is idle
                     "2 * columns <= block * lanes",             # the threads read two rows at once, or more
                     "block * lanes * accumulator_bytes <= 49152",           # static shared memory
                     "unroll = 1 or tile <= n",
                     "parts = 1 or parts * tile < 2 * n",        # each part has half a tile or more
                     "parts = 1 or columns * parts <= 65536",    # limits the second launch
                     # few blocks only for what they read in a few steps
                     "4 * parts >= sm_count or n <= 64 * parts * tile",
                     "unroll < 8 or vector_bytes >= 8",
                     # the cache policy of loads matters only for inputs that take longer to read than a launch takes
                     "path = 'read_only' or n * input_bytes >= l2_bytes / 16"]
*/
#pragma once

#include "kernels_src/columns_finish.cuh"
#include "kernels_src/flat_columns.cuh"

namespace redtune {

template <class Problem, int block, int unroll, int vector_bytes, Path path, Finish finish>
__global__ void __launch_bounds__(block) columns_flat(const Arguments<Problem> a) {
    using L = LoadPolicy<block, unroll, vector_bytes, vector_bytes, path>;
    using V = Vector<typename Problem::Input, vector_bytes>;
    __shared__ typename Problem::Accumulator values[block * V::lanes];
    const u32 columns = u32(a.row_length);
    const u64 count = count_columns(a);
    const ColumnBlock at(u32(divide(count, columns)));
    const FlatMatrix<Problem, vector_bytes> matrix(a, at.strip);
    const FlatThread<Problem, V> thread(columns, matrix.head, block);

    if (threadIdx.x < thread.active) {
        typename Problem::Accumulator of_lanes[V::lanes];
        fold_flat_part<Problem, L>(matrix, thread, at, of_lanes);
#pragma unroll
        for (int lane = 0; lane < V::lanes; ++lane) values[threadIdx.x * V::lanes + lane] = of_lanes[lane];
    }
    combine_shared_rows<typename Problem::Operator, block>(values, thread.rows_per_pass, columns);
    finish_columns<Problem, block, finish>(a, at, values, columns, count, [&](u32 i) {
        return u64(at.strip) * columns + (matrix.head + i) % columns;
    });
}

}  // namespace redtune
