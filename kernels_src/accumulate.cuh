// The part of a streaming reduction before threads talk: every thread folds its share of the input.
#pragma once

#include "kernels_src/fold_vector.cuh"

namespace redtune {

/// What a group of threads folds: a whole array, or a row of it.
template <class P>
struct Span {
    const typename P::Input* input;
    const typename P::Input* second;  // for operators over pairs
    u64 n;
};

/// Which tiles are a part's own. strided: every parts-th. contiguous: one range.
enum class Mapping { strided, contiguous };

/// How `threads` threads load: `unroll` vectors of `bytes` each at a time, `threads` vectors apart, all issued before
/// the first is used. Vectors begin where the input is aligned to `head_bytes`: whole lines of 128 bytes for warps that
/// read many.
template <int threadsT, int unrollT, int bytesT, int head_bytesT, Path pathT = Path::read_only,
          Mapping mappingT = Mapping::strided, int accumulatorsT = 4>
struct Loads {
    static constexpr int threads = threadsT;
    static constexpr int unroll = unrollT;
    static constexpr int bytes = bytesT;
    static constexpr int head_bytes = head_bytesT;
    static constexpr Path path = pathT;
    static constexpr Mapping mapping = mappingT;
    static constexpr int accumulators = accumulatorsT;
};

/// One step of the threads. predicated: only vectors below `end`, which is not 0, exist. gathered: the second array is
/// not aligned where the first is.
template <class P, class L, bool predicated, bool gathered, int count>
__device__ void accumulate_tile(const Span<P>& vectors, u64 first, u64 end, u64 index,
                                typename P::Accumulator (&sums)[count]) {
    using V = Vector<typename P::Input, L::bytes>;
    constexpr bool is_of_pairs = P::Operator::form == Form::of_pairs;
    V held[L::unroll];
    V other[is_of_pairs ? L::unroll : 1];
#pragma unroll
    for (int i = 0; i < L::unroll; ++i) {
        u64 at = first + u64(i) * L::threads;
        // The last vector in place of those that are not there: loads under a condition would be waited for one by one.
        if (predicated && at >= end) at = end - 1;
        held[i] = V::template load<L::path>(vectors.input + at * V::lanes);
        if constexpr (is_of_pairs) {
            const auto* from = vectors.second + at * V::lanes;
            other[i] = gathered ? V::gather(from) : V::template load<L::path>(from);
        }
    }
    const auto exists = [&](int i) { return !predicated || first + u64(i) * L::threads < end; };
    fold_vectors<P>(sums, held, other, exists, index + first * V::lanes, u64(L::threads) * V::lanes);
}

/// The tiles of part `part` of `parts`; the last, which is not whole, is the part's whose turn comes.
template <class P, class L, bool gathered, int count>
__device__ void accumulate_tiles(const Span<P>& vectors, u64 vector_count, u64 index, u32 rank, u64 part, u64 parts,
                                 typename P::Accumulator (&sums)[count]) {
    constexpr u64 tile_vectors = u64(L::threads) * L::unroll;
    constexpr bool is_strided = L::mapping == Mapping::strided;
    const u64 whole_tiles = vector_count / tile_vectors;
    u64 tile = is_strided ? part : whole_tiles * part / parts;
    const u64 end = is_strided ? whole_tiles : whole_tiles * (part + 1) / parts;
    for (; tile < end; tile += is_strided ? parts : 1) {
        accumulate_tile<P, L, false, gathered>(vectors, tile * tile_vectors + rank, vector_count, index, sums);
    }
    if (tile * tile_vectors < vector_count && (is_strided || part == parts - 1)) {
        accumulate_tile<P, L, true, gathered>(vectors, tile * tile_vectors + rank, vector_count, index, sums);
    }
}

/// An element before the first or behind the last whole vector: loaded before the vectors and folded behind them, so
/// that nobody waits for it alone.
template <class P>
struct PeeledElement {
    typename P::Input x;
    typename P::Input y;
    u64 index;
    bool is_there;
};

/// PeeledElement `place` of a span whose whole vectors are `vector_elements` elements from `head` on; none unless `is_wanted`.
template <class P>
__device__ PeeledElement<P> load_edge(const Span<P>& span, u32 head, u64 vector_elements, u32 place, bool is_wanted = true) {
    PeeledElement<P> edge{typename P::Input(), typename P::Input(), place < head ? place : vector_elements + place, false};
    edge.is_there = is_wanted && edge.index < span.n;
    if (edge.is_there) {
        edge.x = span.input[edge.index];
        if constexpr (P::Operator::form == Form::of_pairs) edge.y = span.second[edge.index];
    }
    return edge;
}

template <class P>
__device__ typename P::Accumulator fold_edge(typename P::Accumulator value, const PeeledElement<P>& edge) {
    using Op = typename P::Operator;
    return edge.is_there ? Op::combine(value, transform_element<Op>(edge.x, edge.y, edge.index)) : value;
}

/// Edges at most, of one array.
template <class P, class L>
constexpr u32 most_edges = (L::head_bytes + L::bytes) / int(sizeof(typename P::Input)) - 2;

/// The edges that are left where there may be more than threads: thread `rank` has folded its first.
template <class P, class L>
__device__ typename P::Accumulator fold_more_edges(typename P::Accumulator value, const Span<P>& span, u32 head,
                                                   u64 vector_elements, u32 rank) {
    constexpr u32 threads = L::threads;
    if constexpr (threads < most_edges<P, L>) {
        for (u32 place = rank + L::threads; place < span.n - vector_elements; place += L::threads) {
            value = fold_edge<P>(value, load_edge<P>(span, head, vector_elements, place));
        }
    }
    return value;
}

/// What thread `rank` folds of part `part` of `parts` of a span. Any n, any alignment that the type allows: what lies
/// before the first and behind the last whole vector goes to the last part, element by element.
template <class P, class L>
__device__ typename P::Accumulator accumulate_span(const Span<P>& span, u32 rank, u64 part, u64 parts) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, L::bytes>;

    const u32 head = misaligned_head<L::head_bytes>(span.input, span.n);
    const u64 count = (span.n - head) / V::lanes;
    const Span<P> vectors{span.input + head, span.second + head, count * V::lanes};

    typename P::Accumulator sums[chains<P, L::bytes, L::unroll, L::accumulators>];
#pragma unroll
    for (auto& sum : sums) sum = Op::identity();
    PeeledElement<P> edge{};
    if (part == parts - 1) edge = load_edge<P>(span, head, vectors.n, rank);

    if (Op::form == Form::of_pairs && !is_aligned<L::bytes>(vectors.second)) {
        accumulate_tiles<P, L, true>(vectors, count, head, rank, part, parts, sums);
    } else {
        accumulate_tiles<P, L, false>(vectors, count, head, rank, part, parts, sums);
    }
    auto value = fold_edge<P>(combine_chains<Op>(sums), edge);
    if (part == parts - 1) value = fold_more_edges<P, L>(value, span, head, vectors.n, rank);
    return value;
}

/// This thread's share of a whole array, by a grid-stride loop of tiles of threads x unroll vectors.
template <class P, class L>
__device__ typename P::Accumulator accumulate_grid_stride(const Arguments<P>& a) {
    return accumulate_span<P, L>(Span<P>{a.input, a.second, a.n}, threadIdx.x, blockIdx.x, gridDim.x);
}

/// What lies before the first and behind the last whole vector of an array, folded by the threads of a block. A loop,
/// so that the instructions of its addresses are behind a branch, and not ahead of loads that they are issued with.
template <class P, class L>
__device__ typename P::Accumulator fold_edges(const Arguments<P>& a) {
    constexpr u32 lanes = Vector<typename P::Input, L::bytes>::lanes;
    const u32 head = misaligned_head<L::head_bytes>(a.input, a.n);
    const u64 vector_elements = (a.n - head) / lanes * lanes;
    auto value = P::Operator::identity();
#pragma unroll 1
    for (u32 place = threadIdx.x; place < u32(a.n - vector_elements); place += L::threads) {
        value = fold_edge<P>(value, load_edge<P>(Span<P>{a.input, a.second, a.n}, head, vector_elements, place));
    }
    return value;
}

/// This thread's first element of tile `tile` of an array of whole tiles.
template <class P, class L>
__device__ const typename P::Input* thread_base(const Arguments<P>& a, u32 tile) {
    constexpr u32 lanes = Vector<typename P::Input, L::bytes>::lanes;
    return a.input + u64(tile * (u32(L::threads) * L::unroll) + threadIdx.x) * lanes;
}

/// Whether the grid's tiles are all whole and aligned; `own` is what thread_base() gives, so that the loads' address is
/// at hand as soon as this is known. The grid has no more tiles than n needs but for a cluster's, so that the lower
/// halves of their numbers of elements tell.
template <class P, class L>
__device__ bool is_whole_tiles(const Arguments<P>& a, const typename P::Input* own) {
    constexpr u32 tile = u32(L::threads) * L::unroll * L::bytes / sizeof(typename P::Input);
    return (u32(a.n) == gridDim.x * tile) & is_aligned<L::bytes>(own);
}

/// What a thread folds of a tile that is whole; `own` is its first element there. No loop, and all loads issued before
/// the first value is used, and before meanwhile() is called.
template <class P, class L, class Meanwhile>
__device__ typename P::Accumulator fold_whole_tile(const Arguments<P>& a, const typename P::Input* own,
                                                   const Meanwhile& meanwhile) {
    using V = Vector<typename P::Input, L::bytes>;
    constexpr bool is_of_pairs = P::Operator::form == Form::of_pairs;
    constexpr u32 step = u32(L::threads) * V::lanes;
    const auto* others = a.second + (own - a.input);
    const bool is_gathered = is_of_pairs && !is_aligned<L::bytes>(others);
    V held[L::unroll];
    V other[is_of_pairs ? L::unroll : 1];
#pragma unroll
    for (int i = 0; i < L::unroll; ++i) {
        held[i] = V::template load<L::path>(own + i * step);
        if constexpr (is_of_pairs) {
            other[i] = is_gathered ? V::gather(others + i * step) : V::template load<L::path>(others + i * step);
        }
    }
    meanwhile();
    return reduce_vectors<P>(held, other, [](int) { return true; }, u64(own - a.input), step);
}

/// What a thread folds of a tile of which the first `vectors` vectors exist. is_filled: all steps but the last are
/// whole, so that only the last one's vectors are looked at one by one; as a pointer off alignment takes a vector away,
/// this is what most last tiles are.
template <class P, class L, bool is_filled, class Meanwhile>
__device__ typename P::Accumulator fold_part_of_tile(const Arguments<P>& a, const typename P::Input* tile, u32 vectors,
                                                     const Meanwhile& meanwhile) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, L::bytes>;
    constexpr bool is_of_pairs = Op::form == Form::of_pairs;
    const auto* own = tile + threadIdx.x * V::lanes;
    const u64 to_second = a.second - a.input;
    const bool is_gathered = is_of_pairs && !is_aligned<L::bytes>(own + to_second);
    const auto is_whole = [](int i) { return is_filled && i < L::unroll - 1; };
    const auto place = [](int i) { return u32(i) * L::threads + threadIdx.x; };

    V held[L::unroll];
    V other[is_of_pairs ? L::unroll : 1];
#pragma unroll
    for (int i = 0; i < L::unroll; ++i) {
        // The last vector in place of those that are not there: loads under a condition would be waited for one by one.
        const auto* from = is_whole(i) ? own + i * L::threads * V::lanes
                                       : tile + (place(i) < vectors ? place(i) : vectors - 1) * V::lanes;
        held[i] = V::template load<L::path>(from);
        if constexpr (is_of_pairs) {
            other[i] = is_gathered ? V::gather(from + to_second) : V::template load<L::path>(from + to_second);
        }
    }
    meanwhile();
    const auto exists = [&](int i) { return is_whole(i) || place(i) < vectors; };
    return reduce_vectors<P>(held, other, exists, u64(own - a.input), L::threads * V::lanes);
}

/// This thread's share of tile `tile` of any array that ends with tile `last`: no loop, and all loads of the tile issued
/// before the first value is used, and before meanwhile() is called. has_spare_tiles: those behind the end of the
/// array, as whole clusters may have.
template <class P, class L, bool has_spare_tiles, class Meanwhile>
__device__ typename P::Accumulator accumulate_one_tile(const Arguments<P>& a, u32 tile, u32 last,
                                                       const Meanwhile& meanwhile) {
    using Op = typename P::Operator;
    using Input = typename P::Input;
    constexpr u32 all_vectors = u32(L::threads) * L::unroll;
    constexpr u32 lanes = Vector<Input, L::bytes>::lanes;
    static_assert(most_edges<P, L> <= L::threads, "a thread has one edge");

    // Addresses first: the loads wait for nothing else.
    const u64 begin = reinterpret_cast<u64>(a.input);
    const u64 first = ((begin + (L::head_bytes - 1)) & ~u64(L::head_bytes - 1)) + u64(tile) * (all_vectors * L::bytes);
    const auto* elements = reinterpret_cast<const Input*>(first);
    const auto* own = elements + threadIdx.x * lanes;
    // A head may leave less than a whole tile for the last but one, and nothing for the last.
    if (!has_spare_tiles && tile + 1 < last) return fold_whole_tile<P, L>(a, own, meanwhile);

    const i64 left = i64(begin + a.n * sizeof(Input) - first);
    const u32 vectors =
        left > 0 ? u32(left < i64(all_vectors * L::bytes) ? left : all_vectors * L::bytes) / L::bytes : 0;
    auto edges = Op::identity();
    const auto meanwhile_with_edges = [&] {
        meanwhile();
        if (tile == last) edges = fold_edges<P, L>(a);
    };
    if (vectors > all_vectors - L::threads) {
        const auto value = fold_part_of_tile<P, L, true>(a, elements, vectors, meanwhile_with_edges);
        return Op::combine(edges, value);
    }
    if (vectors > 0) {
        const auto value = fold_part_of_tile<P, L, false>(a, elements, vectors, meanwhile_with_edges);
        return Op::combine(edges, value);
    }
    meanwhile_with_edges();
    return edges;
}

template <class P, class L, bool has_spare_tiles>
__device__ typename P::Accumulator accumulate_one_tile(const Arguments<P>& a, u32 tile, u32 last) {
    return accumulate_one_tile<P, L, has_spare_tiles>(a, tile, last, [] {});
}

}  // namespace redtune
