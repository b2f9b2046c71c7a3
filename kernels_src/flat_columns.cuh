// Folds a narrow matrix as a flat array: neighbouring threads load neighbouring vectors, whatever the number of
// columns.
#pragma once

#include "kernels_src/columns.cuh"
#include "kernels_src/load_policy.cuh"

namespace redtune {

/// A matrix as a flat array of vectors, with a `head` of elements before the first aligned one and a `tail` of elements
/// after the last whole vector.
template <class P, int bytes>
struct FlatMatrix {
    using V = Vector<typename P::Input, bytes>;
    const typename P::Input* input;   // first aligned element
    const typename P::Input* second;  // the element that is paired with it
    u64 vectors;
    u32 head;
    u32 tail;
    u32 columns;
    bool is_second_misaligned;

    /// matrix: its number in the array.
    __device__ FlatMatrix(const Arguments<P>& a, u64 matrix) {
        const u64 n = a.count * a.row_length;
        const typename P::Input* first = a.input + matrix * n;
        head = misaligned_head<bytes>(first, n);
        input = first + head;
        second = a.second + matrix * n + head;
        vectors = (n - head) / V::lanes;
        tail = u32((n - head) % V::lanes);
        columns = u32(a.row_length);
        is_second_misaligned = P::Operator::form == Form::of_pairs && !is_aligned<bytes>(second);
    }

    __device__ V load_second(u64 element) const {
        return is_second_misaligned ? V::gather(second + element) : V::load(second + element);
    }
};

/// The threads of a block that take part, and the rows of their lanes. Their number, `active`, times the lanes of a
/// vector is a multiple of the number of columns, so a lane has the same column in every vector of its thread.
template <class P, class V>
class FlatThread {
  public:
    /// threads: the threads of a block. There must be active ones among them: at least
    /// columns / gcd(columns, lanes of a vector) threads.
    __device__ FlatThread(u32 columns, u32 head, u32 threads) {
        constexpr u32 lanes = V::lanes;
        const u32 power_of_two = columns & (0 - columns);
        const u32 period = columns / (power_of_two < lanes ? power_of_two : lanes);
        active = threads - threads % period;
        rows_per_pass = active * lanes / columns;
        if constexpr (has_rows) {
            const u32 first = head + threadIdx.x * lanes;
            u32 row = first / columns;
            u32 column = first % columns;
#pragma unroll
            for (u32& lane_row : row_) {
                lane_row = row;
                if (++column == columns) {
                    column = 0;
                    ++row;
                }
            }
        }
    }

    /// Returns the row of a lane's element in the thread's vector number `pass`; 0 for operators that do not use it.
    __device__ u64 row(u64 pass, int lane) const {
        if constexpr (has_rows) return pass * rows_per_pass + row_[lane];
        return 0;
    }

    u32 active;
    u32 rows_per_pass;  // rows of the matrix that one vector of each active thread covers

  private:
    static constexpr bool has_rows = P::Operator::form == Form::with_index;
    u32 row_[has_rows ? V::lanes : 1];
};

/// Folds the thread's vectors number pass, pass + 1, ..., L::unroll of them, into `sums`. All loads are issued before a
/// loaded value is used. Vectors that do not exist are left out; if are_all_there, the caller guarantees that all
/// exist.
template <class P, class L, bool are_all_there, class V>
__device__ void fold_flat_vectors(const FlatMatrix<P, L::bytes>& matrix, const FlatThread<P, V>& thread, u64 pass,
                                  ColumnSums<P, V>& sums) {
    constexpr bool is_of_pairs = P::Operator::form == Form::of_pairs;
    V x[L::unroll];
    V y[is_of_pairs ? L::unroll : 1] = {};
#pragma unroll
    for (int i = 0; i < L::unroll; ++i) {
        const u64 wanted = (pass + i) * thread.active + threadIdx.x;
        const u64 element = (are_all_there ? wanted : clamp_index(wanted, matrix.vectors)) * V::lanes;
        x[i] = V::template load<L::path>(matrix.input + element);
        if constexpr (is_of_pairs) y[i] = matrix.load_second(element);
    }
#pragma unroll
    for (int i = 0; i < L::unroll; ++i) {
        if (!are_all_there && (pass + i) * thread.active + threadIdx.x >= matrix.vectors) continue;
        sums.fold(x[i], y[is_of_pairs ? i : 0], [&](int lane) { return thread.row(pass + i, lane); });
    }
}

/// Combines an element of the head or the tail with the value of a lane that has the same column. element: counted from
/// the first element of the matrix.
template <class P, int bytes>
__device__ void combine_single(const FlatMatrix<P, bytes>& matrix, u64 element, typename P::Accumulator& sum) {
    using Op = typename P::Operator;
    const i64 from_aligned = i64(element) - matrix.head;
    auto y = typename P::Input();
    if constexpr (Op::form == Form::of_pairs) y = matrix.second[from_aligned];
    const u64 row = Op::form == Form::with_index ? divide(element, matrix.columns) : 0;
    sum = Op::combine(sum, transform_element<Op>(matrix.input[from_aligned], y, row));
}

/// Combines the elements of the head and the tail with the thread's values. The head is treated as the end of the
/// vector before the first, which is the last active thread's, and the tail as the beginning of the vector after the
/// last.
template <class P, class V, int bytes>
__device__ void combine_head_and_tail(const FlatMatrix<P, bytes>& matrix, const FlatThread<P, V>& thread,
                                      const ColumnBlock& at, typename P::Accumulator (&sums)[V::lanes]) {
    const bool has_head = at.part == 0 && threadIdx.x == thread.active - 1;
    const bool has_tail = at.part == at.parts - 1 && threadIdx.x == u32(matrix.vectors % thread.active);
#pragma unroll
    for (u32 lane = 0; lane < V::lanes; ++lane) {
        if (has_head && lane + matrix.head >= V::lanes) {
            combine_single(matrix, lane + matrix.head - V::lanes, sums[lane]);
        }
        if (has_tail && lane < matrix.tail) {
            combine_single(matrix, matrix.head + matrix.vectors * V::lanes + lane, sums[lane]);
        }
    }
}

/// Folds the thread's vectors of the block's part of the matrix, and writes the value of each lane to `values`.
template <class P, class L, class V>
__device__ void fold_flat_part(const FlatMatrix<P, L::bytes>& matrix, const FlatThread<P, V>& thread,
                               const ColumnBlock& at, typename P::Accumulator (&values)[V::lanes]) {
    ColumnSums<P, V> sums;
    const u64 step = u64(at.parts) * L::unroll;
    u64 pass = u64(at.part) * L::unroll;
    for (; (pass + L::unroll) * thread.active <= matrix.vectors; pass += step) {
        fold_flat_vectors<P, L, true>(matrix, thread, pass, sums);
    }
    if (pass * thread.active < matrix.vectors) fold_flat_vectors<P, L, false>(matrix, thread, pass, sums);
#pragma unroll
    for (int lane = 0; lane < V::lanes; ++lane) values[lane] = sums.value(lane);
    combine_head_and_tail(matrix, thread, at, values);
}

}  // namespace redtune
