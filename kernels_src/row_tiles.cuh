// Reduces rows whose threads are a part of a warp, a warp or a block.
#pragma once

#include "kernels_src/combine_block.cuh"
#include "kernels_src/rows.cuh"

namespace redtune {

/// Returns the value of the lane whose number differs in the bits of `mask`, for any accumulator type. All 32 lanes call
/// it.
template <class T>
__device__ T shuffle_xor(T value, int mask) {
    u32 words[sizeof(T) / sizeof(u32)];
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (u32& word : words) word = __shfl_xor_sync(full_warp, word, mask);
    memcpy(&value, words, sizeof(T));
    return value;
}

/// Combines the values of the threads of a row: a part of a warp, a warp, or the block. Returns the result, valid in
/// the first thread of the row.
template <class Op, int threads, class Accumulator>
__device__ Accumulator combine_row(Accumulator value) {
    if constexpr (threads <= 32) {
        return combine_warp<Op, threads>(value);
    } else {
        return combine_block<Op, threads>(value);
    }
}

/// Reduces row `row`, of any length and alignment, and writes its result; does nothing if the row does not exist. rank:
/// the thread's index among the L::threads threads of the row.
template <class P, class L>
__device__ void reduce_row(const Arguments<P>& a, u64 row, u32 rank) {
    const auto value = accumulate_span<P, L>(row_span(a, row), rank, 0, 1);
    const auto combined = combine_row<typename P::Operator, L::threads>(value);
    if (rank == 0) store_row(a, row, combined);
}

/// Returns whether there are rows, and each is at most one tile and consists of whole, aligned vectors.
template <class P, class L>
__device__ bool rows_are_tiles(const Arguments<P>& a) {
    constexpr u32 lanes = TileVectors<P, L>::V::lanes;
    const bool is_second_aligned = P::Operator::form != Form::of_pairs || is_aligned<L::bytes>(a.second);
    return a.n != 0 && a.row_length <= u32(L::threads * L::unroll) * lanes && a.row_length % lanes == 0 &&
           is_aligned<L::bytes>(a.input) && is_second_aligned;
}

/// Combines values[i] over groups of lanes, for `count` rows at once; `mask` is half the lanes of a group, and both are
/// powers of two. In each step a lane gives half of its rows to the lane `rank` ^ `mask` and takes the other half from
/// it, so that the values of 8 lanes and 8 rows need 7 shuffles, not 24. KeptRows says which results a lane has
/// afterwards. All 32 lanes call it.
template <class Op, int mask, int count, class Accumulator, int size>
__device__ void combine_rows(Accumulator (&values)[size], u32 rank) {
    if constexpr (mask > 0 && count == 1) {
        values[0] = Op::combine(values[0], shuffle_xor(values[0], mask));
        combine_rows<Op, mask / 2, 1>(values, rank);
    } else if constexpr (mask > 0) {
        constexpr int half = count / 2;
        const bool keeps_upper = (rank & mask) != 0;
#pragma unroll
        for (int i = 0; i < half; ++i) {
            const Accumulator given = keeps_upper ? values[i] : values[i + half];
            const Accumulator kept = keeps_upper ? values[i + half] : values[i];
            values[i] = Op::combine(kept, shuffle_xor(given, mask));
        }
        combine_rows<Op, mask / 2, half>(values, rank);
    }
}

/// The rows whose results lane `rank` of `threads` has after combine_rows() of `rows` rows: `count` of them, from number
/// `first` on. If there are fewer rows than lanes, neighbouring lanes have the same result, and one of them writes it.
template <int threads, int rows>
struct KeptRows {
    static constexpr int lanes_per_row = threads > rows ? threads / rows : 1;
    static constexpr int count = rows > threads ? rows / threads : 1;
    u32 first;
    bool writes;
    __device__ explicit KeptRows(u32 rank) : first(rank / lanes_per_row * count), writes(rank % lanes_per_row == 0) {}
};

/// Reduces `rows` rows that are `stride` rows apart, and writes the results of those that exist. rows_are_tiles() must
/// be true. The loads of all rows are issued before a loaded value is used. row: the first row of this thread. rank: as
/// in reduce_row().
template <class P, class L, int rows>
__device__ void reduce_row_tiles(const Arguments<P>& a, u64 row, u32 stride, u32 rank) {
    using Op = typename P::Operator;
    static_assert(rows == 1 || L::threads <= 32, "the values of a block are combined for one row");
    constexpr u32 lanes = TileVectors<P, L>::V::lanes;
    const ClampedTile<P, L, 0> layout{rank, u32(a.row_length) / lanes};
    // Rows that do not exist are replaced by the last one. The offsets from the thread's first row fit into 32 bits.
    const u64 last = a.n - a.row_length;
    const u64 first = row_exists(a, row) ? row * a.row_length : last;
    const u32 to_last = last - first < ~u32(0) ? u32(last - first) : ~u32(0);
    TileVectors<P, L> tiles[rows];
#pragma unroll
    for (int i = 0; i < rows; ++i) {
        const u32 wanted = u32(i) * stride * u32(a.row_length);
        const u64 offset = first + (wanted < to_last ? wanted : to_last);
        tiles[i] = load_tile<P, L>(layout, a.input + offset, a.second + offset, false);
    }
    typename P::Accumulator values[rows];
#pragma unroll
    for (int i = 0; i < rows; ++i) values[i] = reduce_tile<P, L>(tiles[i], layout, rank * lanes);
    if constexpr (rows == 1) {
        values[0] = combine_row<Op, L::threads>(values[0]);
        if (rank == 0) store_row(a, row, values[0]);
    } else {
        combine_rows<Op, L::threads / 2, rows>(values, rank);
        const KeptRows<L::threads, rows> kept(rank);
#pragma unroll
        for (int i = 0; i < kept.count; ++i) {
            if (kept.writes) store_row(a, row + (kept.first + u32(i)) * stride, values[i]);
        }
    }
}

}  // namespace redtune
