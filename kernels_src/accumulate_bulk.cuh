// A thread's share of an array that bulk copies bring to shared memory, stage by stage.
#pragma once

#include "kernels_src/accumulate.cuh"
#include "kernels_src/bulk_copy.cuh"

namespace redtune {

/// The block's stages are `stages` ranges of `stage_bytes` of dynamic shared memory. Whole stages of the array are
/// dealt out to the blocks in turn; what lies before the first and behind the last is the last block's, by plain loads.
/// One thread starts all copies that there is room for at once, and each later one when its stage has been read.
template <class P, int block, int stage_bytes, int stages, Path path = Path::read_only>
__device__ typename P::Accumulator accumulate_bulk(const Arguments<P>& a) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, 16>;
    constexpr int line = 128;
    constexpr u32 stage_vectors = stage_bytes / 16;
    constexpr u32 stage_elements = stage_vectors * V::lanes;
    constexpr int reads = stage_vectors / block;
    static_assert(Op::form != Form::of_pairs, "a stage holds one array");
    static_assert(reads >= 1 && stage_vectors % block == 0, "every thread reads a stage's vectors");
    extern __shared__ uint4 staged[];
    __shared__ CopyBarrier filled[stages];

    const u32 head = misaligned_head<line>(a.input, a.n);
    const u64 whole_stages = (a.n - head) / stage_elements;
    const u64 mine = whole_stages > blockIdx.x ? (whole_stages - blockIdx.x - 1) / gridDim.x + 1 : 0;
    const auto start_copy = [&](u64 turn, u32 stage) {
        arrive_expecting(filled[stage], stage_bytes);
        bulk_copy(staged + stage * stage_vectors, a.input + head + (blockIdx.x + turn * gridDim.x) * stage_elements,
                  stage_bytes, filled[stage]);
    };
    if (threadIdx.x == 0) {
#pragma unroll
        for (int stage = 0; stage < stages; ++stage) init_barrier(filled[stage], 1);
        fence_barrier_init();
#pragma unroll
        for (int stage = 0; stage < stages; ++stage) {
            if (u64(stage) < mine) start_copy(stage, stage);
        }
    }

    const auto exists = [](int) { return true; };
    typename P::Accumulator sums[chains<P, 16, reads, 4>];
#pragma unroll
    for (auto& sum : sums) sum = Op::identity();
    auto rest = Op::identity();
    if (blockIdx.x == gridDim.x - 1) {
        const Span<P> span{a.input, a.second, a.n};
        const u64 vectors = (a.n - head) / V::lanes;
        const PeeledElement<P> edge = load_edge<P>(span, head, vectors * V::lanes, threadIdx.x);
#pragma unroll 4
        for (u64 v = whole_stages * stage_vectors + threadIdx.x; v < vectors; v += block) {
            const u64 index = head + v * V::lanes;
            const V held[1] = {V::template load<path>(a.input + index)};
            rest = Op::combine(rest, reduce_vectors<P>(held, held, exists, index, 0));
        }
        rest = fold_more_edges<P, Loads<block, 1, 16, line>>(fold_edge<P>(rest, edge), span, head, vectors * V::lanes,
                                                             threadIdx.x);
    }
    __syncthreads();  // the barriers are there

    u32 stage = 0;
    u32 parity = 0;
    for (u64 turn = 0; turn < mine; ++turn) {
        wait_barrier(filled[stage], parity);
        V held[reads];
#pragma unroll
        for (int i = 0; i < reads; ++i) {
            const uint4 word = staged[stage * stage_vectors + i * block + threadIdx.x];
            memcpy(held[i].words, &word, sizeof(held[i]));
        }
        const u64 index = head + (blockIdx.x + turn * gridDim.x) * stage_elements + threadIdx.x * V::lanes;
        fold_vectors<P>(sums, held, held, exists, index, block * V::lanes);
        if (turn + stages < mine) {
            __syncthreads();  // the stage has been read
            if (threadIdx.x == 0) start_copy(turn + stages, stage);
        }
        if (++stage == stages) {
            stage = 0;
            parity ^= 1;
        }
    }
    return Op::combine(rest, combine_chains<Op>(sums));
}

}  // namespace redtune
