// The part of a streaming reduction before threads talk: every thread folds its share of the input.
#pragma once

#include "kernels_src/load.cuh"
#include "kernels_src/operators.cuh"

namespace redtune {

/// What a group of threads folds: a whole array, or a row of it.
template <class P>
struct Span {
    const typename P::Input* input;
    const typename P::Input* second;  // for operators over pairs
    u64 n;
};

/// Independent accumulators of a thread, which hide the latency of combining: one for each element of a vector, but no
/// more than pay for their registers.
template <class P, int bytes>
constexpr int chains = [] {
    constexpr int most = sizeof(typename P::Accumulator) > 8 ? 2 : 4;
    constexpr int lanes = Vector<typename P::Input, bytes>::lanes;
    return lanes < most ? lanes : most;
}();

/// One step: `unroll` loads a thread, `threads` vectors apart, all issued before the first is used.
/// predicated: only vectors below `end` exist. gathered: the second array is not aligned where the first is.
template <class P, int threads, int unroll, int bytes, bool predicated, bool gathered>
__device__ void accumulate_tile(const Span<P>& vectors, u64 first, u64 end, u64 index,
                                typename P::Accumulator (&sums)[chains<P, bytes>]) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, bytes>;
    constexpr bool is_of_pairs = Op::form == Form::of_pairs;
    V held[unroll];
    V other[is_of_pairs ? unroll : 1];
#pragma unroll
    for (int i = 0; i < unroll; ++i) {
        const u64 at = first + u64(i) * threads;
        if (!predicated || at < end) {
            held[i] = V::load(vectors.input + at * V::lanes);
            if constexpr (is_of_pairs) {
                const auto* from = vectors.second + at * V::lanes;
                other[i] = gathered ? V::gather(from) : V::load(from);
            }
        }
    }
#pragma unroll
    for (int i = 0; i < unroll; ++i) {
        const u64 at = first + u64(i) * threads;
        if (!predicated || at < end) {
#pragma unroll
            for (int lane = 0; lane < V::lanes; ++lane) {
                auto y = typename P::Input();
                if constexpr (is_of_pairs) y = other[i].lane[lane];
                auto& sum = sums[lane % chains<P, bytes>];
                sum = fold_element<Op>(sum, held[i].lane[lane], y, index + at * V::lanes + lane);
            }
        }
    }
}

/// The tiles of part `part` of `parts`: every parts-th, and the last, which is not whole, where its turn comes.
template <class P, int threads, int unroll, int bytes, bool gathered>
__device__ void accumulate_tiles(const Span<P>& vectors, u64 count, u64 index, u32 rank, u64 part, u64 parts,
                                 typename P::Accumulator (&sums)[chains<P, bytes>]) {
    constexpr u64 tile_vectors = u64(threads) * unroll;
    const u64 whole_tiles = count / tile_vectors;
    u64 tile = part;
    for (; tile < whole_tiles; tile += parts) {
        accumulate_tile<P, threads, unroll, bytes, false, gathered>(vectors, tile * tile_vectors + rank, count, index,
                                                                    sums);
    }
    if (tile == whole_tiles) {
        accumulate_tile<P, threads, unroll, bytes, true, gathered>(vectors, tile * tile_vectors + rank, count, index,
                                                                   sums);
    }
}

/// What thread `rank` of `threads` folds of part `part` of `parts` of a span. Any n, any alignment that the type
/// allows: what lies before the first and behind the last whole vector goes to the last part, element by element.
template <class P, int threads, int unroll, int bytes>
__device__ typename P::Accumulator accumulate_span(const Span<P>& span, u32 rank, u64 part, u64 parts) {
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;
    using V = Vector<typename P::Input, bytes>;

    const u64 head = misaligned_head<bytes>(span.input, span.n);
    const u64 count = (span.n - head) / V::lanes;
    const Span<P> vectors{span.input + head, span.second + head, count * V::lanes};

    Accumulator sums[chains<P, bytes>];
#pragma unroll
    for (Accumulator& sum : sums) sum = Op::identity();

    // Elements before the first and behind the last whole vector: loaded first, so that nobody waits for them alone.
    Accumulator edge = Op::identity();
    if (part == parts - 1) {
        const u32 edges = u32(span.n - vectors.n);
        for (u32 e = rank; e < edges; e += threads) {
            const u64 i = e < head ? e : vectors.n + e;
            const auto y = Op::form == Form::of_pairs ? span.second[i] : typename P::Input();
            edge = Op::combine(edge, transform_element<Op>(span.input[i], y, i));
            if (threads >= 2 * V::lanes) break;  // there are fewer edges than threads
        }
    }

    if (Op::form == Form::of_pairs && !is_aligned<bytes>(vectors.second)) {
        accumulate_tiles<P, threads, unroll, bytes, true>(vectors, count, head, rank, part, parts, sums);
    } else {
        accumulate_tiles<P, threads, unroll, bytes, false>(vectors, count, head, rank, part, parts, sums);
    }

    Accumulator sum = Op::combine(edge, sums[0]);
#pragma unroll
    for (int i = 1; i < chains<P, bytes>; ++i) sum = Op::combine(sum, sums[i]);
    return sum;
}

/// This thread's share of a whole array, by a grid-stride loop of tiles of block x unroll vectors.
template <class P, int block, int unroll, int bytes>
__device__ typename P::Accumulator accumulate_grid_stride(const Arguments<P>& a) {
    return accumulate_span<P, block, unroll, bytes>(Span<P>{a.input, a.second, a.n}, threadIdx.x, blockIdx.x,
                                                    gridDim.x);
}

/// This thread's share of an array of at most block x unroll vectors, for one block: no loop, 32-bit indices, and all
/// loads issued before the first value is used.
template <class P, int block, int unroll, int bytes>
__device__ typename P::Accumulator accumulate_one_tile(const Arguments<P>& a) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, bytes>;
    constexpr bool is_of_pairs = Op::form == Form::of_pairs;
    const u32 n = u32(a.n);
    const u32 head = u32(misaligned_head<bytes>(a.input, a.n));
    const u32 count = (n - head) / V::lanes;
    const u32 edges = n - count * V::lanes;
    const auto* vectors = a.input + head;
    const bool is_gathered = is_of_pairs && !is_aligned<bytes>(a.second + head);

    V held[unroll];
    V other[is_of_pairs ? unroll : 1];
#pragma unroll
    for (int i = 0; i < unroll; ++i) {
        const u32 at = u32(i) * block + threadIdx.x;
        if (at < count) {
            held[i] = V::load(vectors + at * V::lanes);
            if constexpr (is_of_pairs) {
                const auto* from = a.second + head + at * V::lanes;
                other[i] = is_gathered ? V::gather(from) : V::load(from);
            }
        }
    }
    auto value = Op::identity();
    static_assert(block >= 2 * V::lanes, "there are fewer edges than threads");
    if (threadIdx.x < edges) {
        const u32 i = threadIdx.x < head ? threadIdx.x : count * V::lanes + threadIdx.x;
        const auto y = is_of_pairs ? a.second[i] : typename P::Input();
        value = transform_element<Op>(a.input[i], y, i);
    }
#pragma unroll
    for (int i = 0; i < unroll; ++i) {
        const u32 at = u32(i) * block + threadIdx.x;
        if (at < count) {
            const auto second = [&](int lane) {
                if constexpr (is_of_pairs) return other[i].lane[lane];
                return typename P::Input();
            };
            const u64 index = head + at * V::lanes;
            auto sum = transform_element<Op>(held[i].lane[0], second(0), index);
#pragma unroll
            for (int lane = 1; lane < V::lanes; ++lane) {
                sum = fold_element<Op>(sum, held[i].lane[lane], second(lane), index + lane);
            }
            value = Op::combine(value, sum);
        }
    }
    return value;
}

}  // namespace redtune
