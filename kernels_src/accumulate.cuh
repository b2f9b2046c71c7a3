// The part of a streaming reduction before blocks talk: every thread folds its share of the input.
#pragma once

#include "kernels_src/load.cuh"
#include "kernels_src/operators.cuh"

namespace redtune {

/// One step of a block: `unroll` loads a thread, `block` vectors apart, all issued before the first is used.
/// `predicated`: only vectors below `end` exist.
template <class P, int block, int unroll, int bytes, bool predicated>
__device__ void accumulate_tile(const typename P::Input* vectors, u64 first, u64 end,
                                typename P::Accumulator (&sums)[Vector<typename P::Input, bytes>::lanes]) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, bytes>;
    V held[unroll];
#pragma unroll
    for (int i = 0; i < unroll; ++i) {
        const u64 at = first + u64(i) * block;
        if (!predicated || at < end) held[i] = V::load(vectors + at * V::lanes);
    }
#pragma unroll
    for (int i = 0; i < unroll; ++i) {
        if (!predicated || first + u64(i) * block < end) {
#pragma unroll
            for (int lane = 0; lane < V::lanes; ++lane) {
                sums[lane] = Op::combine(sums[lane], Op::transform(held[i].lane[lane]));
            }
        }
    }
}

/// This thread's share of a.input, by a grid-stride loop of tiles of block x unroll vectors. Any n, any alignment
/// of a.input that its type allows: what lies before the first and behind the last whole vector goes to the last
/// block, element by element.
template <class P, int block, int unroll, int bytes>
__device__ typename P::Accumulator accumulate_grid_stride(const Arguments<P>& a) {
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;
    using V = Vector<typename P::Input, bytes>;
    constexpr u64 tile_vectors = u64(block) * unroll;

    const u64 head = misaligned_head<bytes>(a.input, a.n);
    const typename P::Input* vectors = a.input + head;
    const u64 count = (a.n - head) / V::lanes;
    const u64 whole_tiles = count / tile_vectors;

    Accumulator sums[V::lanes];
#pragma unroll
    for (int lane = 0; lane < V::lanes; ++lane) sums[lane] = Op::identity();

    u64 tile = blockIdx.x;
    for (; tile < whole_tiles; tile += gridDim.x) {
        accumulate_tile<P, block, unroll, bytes, false>(vectors, tile * tile_vectors + threadIdx.x, count, sums);
    }
    // Exactly one block arrives at the tile that is not whole.
    if (tile == whole_tiles) {
        accumulate_tile<P, block, unroll, bytes, true>(vectors, tile * tile_vectors + threadIdx.x, count, sums);
    }

    if (blockIdx.x == gridDim.x - 1) {
        const u64 tail = a.n - head - count * V::lanes;
        for (u64 i = threadIdx.x; i < head; i += block) sums[0] = Op::combine(sums[0], Op::transform(a.input[i]));
        for (u64 i = threadIdx.x; i < tail; i += block) {
            sums[0] = Op::combine(sums[0], Op::transform(vectors[count * V::lanes + i]));
        }
    }

    Accumulator sum = sums[0];
#pragma unroll
    for (int lane = 1; lane < V::lanes; ++lane) sum = Op::combine(sum, sums[lane]);
    return sum;
}

}  // namespace redtune
