// Reductions of row-major matrices over their rows: each column has one result. An array may hold several matrices of
// the same extents. In these kernels, Arguments::row_length is the number of columns and Arguments::count the number of
// rows of a matrix. If the matrices have no rows, Arguments::n is the number of columns of all matrices.
#pragma once

#include "kernels_src/clamp_index.cuh"
#include "kernels_src/column_sums.cuh"

namespace redtune {

/// Returns a / b. The 32-bit division, which takes a fraction of the time, is used where both numbers fit.
__device__ inline u64 divide(u64 a, u64 b) {
    return ((a | b) >> 32) == 0 ? u64(u32(a) / u32(b)) : a / b;
}

/// Returns the number of results: the columns of all matrices.
template <class P>
__device__ u64 count_columns(const Arguments<P>& a) {
    return a.count == 0 ? a.n : divide(a.n, a.count);
}

/// The columns and rows that a block reduces. The columns of all matrices are divided into strips, and the rows of each
/// matrix into parts. Consecutive blocks have consecutive strips of one part, so that they read neighbouring memory.
struct ColumnBlock {
    u32 strip;
    u32 part;
    u32 parts;

    /// @param strips the number of strips; the grid is a multiple of it
    __device__ explicit ColumnBlock(u32 strips)
        : strip(blockIdx.x % strips), part(blockIdx.x / strips), parts(gridDim.x / strips) {}
};

/// Combines each column of a `rows` x `columns` matrix of values in shared memory; the results replace its first row.
/// Thread t has combined the columns t, t + block, ..., so it may read their results without a barrier. All threads
/// call it, after they have stored their values.
template <class Op, int block, class Accumulator>
__device__ void combine_shared_rows(Accumulator* values, u32 rows, u32 columns) {
    __syncthreads();
    while (rows > 1) {
        const u32 half = (rows + 1) / 2;
        const u32 pairs = (rows - half) * columns;
        for (u32 i = threadIdx.x; i < pairs; i += block) values[i] = Op::combine(values[i], values[i + half * columns]);
        rows = half;
        if (rows > 1) __syncthreads();
    }
}

}  // namespace redtune
