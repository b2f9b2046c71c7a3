// Reductions of arrays that consist of equally long, contiguous rows; each row has one result.
#pragma once

#include "kernels_src/accumulate.cuh"
#include "kernels_src/finish.cuh"

namespace redtune {

/// Returns whether row `row` exists. It does not compute the number of rows, because a 64-bit division takes about as
/// long as a row of a few hundred bytes.
template <class P>
__device__ bool row_exists(const Arguments<P>& a, u64 row) {
    return row * a.row_length < a.n;
}

/// Returns the number of blocks that share one row; it is the same for all rows.
template <class P>
__device__ u32 blocks_per_row(const Arguments<P>& a) {
    return a.n == 0 ? gridDim.x : u32(gridDim.x / (a.n / a.row_length));
}

/// Returns row `row` as a span; the span is empty if the row does not exist.
template <class P>
__device__ Span<P> row_span(const Arguments<P>& a, u64 row) {
    if (!row_exists(a, row)) return {a.input, a.second, 0};
    const u64 first = row * a.row_length;
    return {a.input + first, a.second + first, a.row_length};
}

/// Returns the accumulator of lane `lane` for a row that `lanes` lanes share. The elements are loaded one by one. The
/// result is the identity if the row does not exist.
template <int lanes, class P>
__device__ typename P::Accumulator fold_row(const Arguments<P>& a, u64 row, u32 lane) {
    using Op = typename P::Operator;
    const Span<P> span = row_span(a, row);
    auto value = Op::identity();
    for (u64 i = lane; i < span.n; i += lanes) {
        const auto y = Op::form == Form::of_pairs ? span.second[i] : typename P::Input();
        value = fold_element<Op>(value, span.input[i], y, i);
    }
    return value;
}

/// Writes the result of row `row`; does nothing if the row does not exist. One thread per row calls it.
template <class P>
__device__ void store_row(const Arguments<P>& a, u64 row, typename P::Accumulator value) {
    if (row_exists(a, row)) a.output[row] = P::Operator::finish(value, a.count);
}

}  // namespace redtune
