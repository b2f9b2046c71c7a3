// Folds a span of any length into one accumulator per thread, in a loop over tiles.
#pragma once

#include "kernels_src/peeled_elements.cuh"
#include "kernels_src/tile.cuh"

namespace redtune {

/// Folds one tile into `sums`. The caller guarantees that the first `full_steps` vectors of every thread exist; the
/// others are checked against vector_count. first: the index of the thread's first vector. The other arguments are
/// those of accumulate_tiles().
template <class P, class L, bool is_y_misaligned, int full_steps, int count>
__device__ void accumulate_tile(const Span<P>& vectors, u64 first, u64 vector_count, u64 index,
                                typename P::Accumulator (&sums)[count]) {
    const ClampedTile<P, L, full_steps, u64> layout{first, vector_count};
    const auto tile = load_tile<P, L>(layout, vectors.input, vectors.second, is_y_misaligned);
    fold_tile<P, L>(sums, tile, layout, index + first * TileVectors<P, L>::V::lanes);
}

/// Folds the tiles of part `part` into `sums`. L::mapping divides the tiles among `parts` parts; the partial tile at
/// the end, if there is one, belongs to the part that is next in turn (Mapping::strided) or to the last part
/// (Mapping::contiguous). vectors: the aligned elements of a span, `vector_count` vectors; the first element has index
/// `index` in the array or row. rank: this thread's index among L::threads.
template <class P, class L, bool is_y_misaligned, int count>
__device__ void accumulate_tiles(const Span<P>& vectors, u64 vector_count, u64 index, u32 rank, u64 part, u64 parts,
                                 typename P::Accumulator (&sums)[count]) {
    constexpr u64 tile_vectors = u64(L::threads) * L::unroll;
    constexpr bool is_strided = L::mapping == Mapping::strided;
    const u64 whole_tiles = vector_count / tile_vectors;
    u64 tile = is_strided ? part : whole_tiles * part / parts;
    const u64 end = is_strided ? whole_tiles : whole_tiles * (part + 1) / parts;
    for (; tile < end; tile += is_strided ? parts : 1) {
        accumulate_tile<P, L, is_y_misaligned, L::unroll>(vectors, tile * tile_vectors + rank, vector_count, index, sums);
    }
    if (tile * tile_vectors < vector_count && (is_strided || part == parts - 1)) {
        accumulate_tile<P, L, is_y_misaligned, 0>(vectors, tile * tile_vectors + rank, vector_count, index, sums);
    }
}

/// Returns the accumulator of thread `rank` of L::threads for part `part` of `parts` of a span. The span may have any
/// length and any alignment that the element type allows. The last part includes the peeled elements.
template <class P, class L>
__device__ typename P::Accumulator accumulate_span(const Span<P>& span, u32 rank, u64 part, u64 parts) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, L::bytes>;

    const u32 head = misaligned_head<L::alignment>(span.input, span.n);
    const u64 count = (span.n - head) / V::lanes;
    const Span<P> vectors{span.input + head, span.second + head, count * V::lanes};

    typename P::Accumulator sums[accumulator_count<P, L::bytes, L::unroll, L::accumulators>];
#pragma unroll
    for (auto& sum : sums) sum = Op::identity();
    PeeledElement<P> peeled{};
    if (part == parts - 1) peeled = load_peeled(span, head, vectors.n, rank);

    if (Op::form == Form::of_pairs && !is_aligned<L::bytes>(vectors.second)) {
        accumulate_tiles<P, L, true>(vectors, count, head, rank, part, parts, sums);
    } else {
        accumulate_tiles<P, L, false>(vectors, count, head, rank, part, parts, sums);
    }
    auto value = fold_peeled<P>(combine_in_order<Op>(sums), peeled);
    if (part == parts - 1) value = fold_remaining_peeled<P, L>(value, span, head, vectors.n, rank);
    return value;
}

/// Reduces this thread's elements of the whole array to one value and returns it. The tiles are folded in a grid-stride
/// loop.
template <class P, class L>
__device__ typename P::Accumulator accumulate_grid_stride(const Arguments<P>& a) {
    return accumulate_span<P, L>(Span<P>{a.input, a.second, a.n}, threadIdx.x, blockIdx.x, gridDim.x);
}

}  // namespace redtune
