// Reduces columns so that one thread has all rows of a column, and threads need not combine their sums.
#pragma once

#include "kernels_src/column_strips.cuh"

namespace redtune {

/// Stores `lanes` neighbouring results from index `column` on. They are stored as whole words of up to 16 bytes if the
/// output is aligned to such a word.
template <class Output, int lanes>
__device__ void store_results(Output* output, u64 column, const Output (&results)[lanes]) {
    constexpr int bytes = lanes * int(sizeof(Output));
    constexpr int word_bytes = bytes > 16 ? 16 : bytes < 4 ? 4 : bytes;
    if constexpr (bytes % word_bytes == 0) {
        using Word = typename WordOf<word_bytes>::type;
        if (is_aligned<word_bytes>(output + column)) {
            Word words[bytes / word_bytes];
            memcpy(words, results, sizeof(words));
#pragma unroll
            for (int i = 0; i < bytes / word_bytes; ++i) reinterpret_cast<Word*>(output + column)[i] = words[i];
            return;
        }
    }
#pragma unroll
    for (int lane = 0; lane < lanes; ++lane) output[column + lane] = results[lane];
}

/// Folds the L::unroll rows from `row` on of each vector of a thread into `sums`. All loads are issued before a loaded
/// value is used. Rows that do not exist are left out.
/// columns: the ThreadColumns of each vector.
template <class P, class L, class Columns, int vectors>
__device__ void fold_wide_rows(const Arguments<P>& a, const Columns (&columns)[vectors], u64 row,
                               ColumnSums<P, typename Columns::V> (&sums)[vectors]) {
    using V = typename Columns::V;
    constexpr bool is_of_pairs = P::Operator::form == Form::of_pairs;
    V x[vectors][L::unroll];
    V y[vectors][is_of_pairs ? L::unroll : 1] = {};
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
#pragma unroll
        for (int i = 0; i < L::unroll; ++i) {
            const u64 at = clamp_index(row + i, a.count) * a.row_length;
            x[v][i] = columns[v].load(a.input, at);
            if constexpr (is_of_pairs) y[v][i] = columns[v].load(a.second, at);
        }
    }
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
#pragma unroll
        for (int i = 0; i < L::unroll; ++i) {
            const u64 at = row + i;
            if (at < a.count) sums[v].fold(x[v][i], y[v][is_of_pairs ? i : 0], [&](int) { return at; });
        }
    }
}

/// Stores the results of one vector of a thread. first: the first column of the vector's strip.
template <class P, class Columns, bool is_aligned>
__device__ void store_wide_columns(const Arguments<P>& a, u64 first, u64 count,
                                   const ColumnSums<P, typename Columns::V>& sums) {
    constexpr int lanes = Columns::V::lanes;
    typename P::Output results[lanes];
#pragma unroll
    for (int lane = 0; lane < lanes; ++lane) results[lane] = P::Operator::finish(sums.value(lane), a.count);
    if constexpr (is_aligned) {
        const u64 column = first + Columns::in_strip(threadIdx.x, 0);
        if (column < count) store_results(a.output, column, results);
    } else {
#pragma unroll
        for (int lane = 0; lane < lanes; ++lane) {
            const u64 column = first + Columns::in_strip(threadIdx.x, lane);
            if (column < count) a.output[column] = results[lane];
        }
    }
}

/// Reduces the columns of a block: `vectors` strips of L::threads vectors each, next to each other. Each thread has one
/// vector of each strip and all rows of its columns. is_aligned: every row consists of whole, aligned vectors.
template <class P, class L, bool is_aligned, int vectors>
__device__ void reduce_wide_columns(const Arguments<P>& a) {
    using Columns = ThreadColumns<P, L, is_aligned>;
    constexpr u32 strip = u32(L::threads) * Columns::V::lanes;
    const u64 count = count_columns(a);
    const u64 first = u64(blockIdx.x) * (vectors * strip);

    ColumnSums<P, typename Columns::V> sums[vectors];
    Columns columns[vectors];
#pragma unroll
    for (int v = 0; v < vectors; ++v) columns[v] = Columns(a, first + v * strip, count, threadIdx.x);
    for (u64 row = 0; row < a.count; row += L::unroll) fold_wide_rows<P, L>(a, columns, row, sums);
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
        store_wide_columns<P, Columns, is_aligned>(a, first + v * strip, count, sums[v]);
    }
}

}  // namespace redtune
