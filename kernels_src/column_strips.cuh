// Folds a strip of columns: the threads of a row of threads have neighbouring columns, and other rows of threads have
// other rows of the matrix.
#pragma once

#include "kernels_src/columns.cuh"
#include "kernels_src/load_policy.cuh"

namespace redtune {

/// The columns of a thread and where they begin. If every row of every matrix consists of whole, aligned vectors
/// (is_aligned), a thread's columns are those of one vector. Else its elements are loaded one by one, and its columns
/// are L::threads columns apart, so that the loads of a warp are coalesced either way. L::threads: threads with
/// neighbouring columns.
template <class P, class L, bool is_aligned>
class ThreadColumns {
  public:
    using V = Vector<typename P::Input, L::bytes>;

    ThreadColumns() = default;

    /// first: the first column of the strip, counted over all matrices. count: the number of columns of all matrices.
    /// thread: the thread's index among L::threads. Columns that do not exist are replaced by the last ones.
    __device__ ThreadColumns(const Arguments<P>& a, u64 first, u64 count, u32 thread) {
#pragma unroll
        for (int i = 0; i < begins; ++i) {
            const u64 column = first + in_strip(thread, i);
            const u64 existing = is_aligned && column >= count ? count - V::lanes : clamp_index(column, count);
            const u64 matrix = existing < a.row_length ? 0 : divide(existing, a.row_length);
            begin_[i] = existing + matrix * a.row_length * (a.count - 1);
        }
    }

    /// Returns the column of a lane of a thread, counted from the first column of the strip.
    static __device__ u32 in_strip(u32 thread, int lane) {
        return is_aligned ? thread * V::lanes + lane : thread + lane * L::threads;
    }

    /// Loads the thread's elements of the row that begins at element `row` of a matrix.
    __device__ V load(const typename P::Input* input, u64 row) const {
        if constexpr (is_aligned) {
            return V::template load<L::path>(input + begin_[0] + row);
        } else {
            typename P::Input elements[V::lanes];
#pragma unroll
            for (int i = 0; i < V::lanes; ++i) elements[i] = input[begin_[i] + row];
            V vector;
            memcpy(vector.words, elements, sizeof(vector));
            return vector;
        }
    }

  private:
    static constexpr int begins = is_aligned ? 1 : V::lanes;
    u64 begin_[begins];  // index of the first element of each column; of the first column of a vector
};

/// Folds the L::unroll rows row, row + stride, ... into `sums`. All loads are issued before a loaded value is used.
/// Rows that do not exist are left out; if are_all_there, the caller guarantees that all exist.
template <class P, class L, bool are_all_there, class Columns>
__device__ void fold_column_rows(const Arguments<P>& a, const Columns& columns, u64 row, u32 stride,
                                 ColumnSums<P, typename Columns::V>& sums) {
    using V = typename Columns::V;
    constexpr bool is_of_pairs = P::Operator::form == Form::of_pairs;
    V x[L::unroll];
    V y[is_of_pairs ? L::unroll : 1] = {};
#pragma unroll
    for (int i = 0; i < L::unroll; ++i) {
        const u64 wanted = row + u64(i) * stride;
        const u64 at = (are_all_there ? wanted : clamp_index(wanted, a.count)) * a.row_length;
        x[i] = columns.load(a.input, at);
        if constexpr (is_of_pairs) y[i] = columns.load(a.second, at);
    }
#pragma unroll
    for (int i = 0; i < L::unroll; ++i) {
        const u64 at = row + u64(i) * stride;
        if (are_all_there || at < a.count) sums.fold(x[i], y[is_of_pairs ? i : 0], [&](int) { return at; });
    }
}

/// Stores the values of this thread's columns in `values`, a matrix in shared memory with a row for each row of threads
/// and a column for each column of the strip. rows: rows of threads.
template <class P, class L, bool is_aligned, int rows>
__device__ void fold_strip(const Arguments<P>& a, const ColumnBlock& at, u64 count, typename P::Accumulator* values) {
    using Columns = ThreadColumns<P, L, is_aligned>;
    using V = typename Columns::V;
    constexpr u32 strip = u32(L::threads) * V::lanes;
    const u32 thread = threadIdx.x % L::threads;
    const u32 thread_row = threadIdx.x / L::threads;

    ColumnSums<P, V> sums;
    if (a.count != 0) {
        const Columns columns(a, u64(at.strip) * strip, count, thread);
        constexpr u32 tile = rows * L::unroll;
        const u64 step = u64(at.parts) * tile;
        u64 row = u64(at.part) * tile + thread_row;
        for (; row + (tile - rows) < a.count; row += step) {
            fold_column_rows<P, L, true>(a, columns, row, rows, sums);
        }
        if (row < a.count) fold_column_rows<P, L, false>(a, columns, row, rows, sums);
    }
#pragma unroll
    for (int lane = 0; lane < V::lanes; ++lane) {
        values[thread_row * strip + Columns::in_strip(thread, lane)] = sums.value(lane);
    }
}

/// Returns whether every row of every matrix consists of whole vectors of `bytes` bytes that are aligned.
template <int bytes, class P>
__device__ bool rows_are_vectors(const Arguments<P>& a) {
    constexpr u32 lanes = Vector<typename P::Input, bytes>::lanes;
    const bool is_second_aligned = P::Operator::form != Form::of_pairs || is_aligned<bytes>(a.second);
    return a.row_length % lanes == 0 && is_aligned<bytes>(a.input) && is_second_aligned;
}

}  // namespace redtune
