// Folds an array that bulk copies (cp.async.bulk) bring to shared memory. A stage is a buffer in shared memory that one
// copy fills.
#pragma once

#include "kernels_src/accumulate.cuh"
#include "kernels_src/bulk_copy.cuh"

namespace redtune {

/// Reduces this thread's part of the elements that do not fill a whole stage to one value and returns it. These are the
/// vectors from index `first_vector` on and the peeled elements, and ordinary loads read them. All threads of one block
/// call it.
template <class P, int block, int alignment, Path path>
__device__ typename P::Accumulator accumulate_outside_stages(const Arguments<P>& a, u32 head, u64 first_vector) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, 16>;
    const auto exists = [](int) { return true; };
    const Span<P> span{a.input, a.second, a.n};
    const u64 vectors = (a.n - head) / V::lanes;
    const PeeledElement<P> peeled = load_peeled(span, head, vectors * V::lanes, threadIdx.x);
    auto value = Op::identity();
#pragma unroll 4
    for (u64 v = first_vector + threadIdx.x; v < vectors; v += block) {
        const u64 index = head + v * V::lanes;
        const V x[1] = {V::template load<path>(a.input + index)};
        value = Op::combine(value, reduce_vectors<P>(x, x, exists, index, 0));
    }
    value = fold_peeled<P>(value, peeled);
    return fold_remaining_peeled<P, LoadPolicy<block, 1, 16, alignment>>(value, span, head, vectors * V::lanes, threadIdx.x);
}

/// Reduces this thread's part of the whole array to one value and returns it. Dynamic shared memory holds `stages`
/// stages of `stage_bytes` each. The array is divided into pieces of `stage_bytes`, which the blocks take in turn; the
/// last block also folds the elements outside of whole pieces. Thread 0 first starts a copy into every stage; when all
/// threads have read a stage, thread 0 starts the next copy into that stage. All threads call it.
template <class P, int block, int stage_bytes, int stages, Path path = Path::read_only>
__device__ typename P::Accumulator accumulate_bulk(const Arguments<P>& a) {
    using Op = typename P::Operator;
    using V = Vector<typename P::Input, 16>;
    constexpr int line = 128;  // bytes of a cache line; the pieces that are copied begin at multiples of it
    constexpr u32 stage_vectors = stage_bytes / 16;
    constexpr u32 stage_elements = stage_vectors * V::lanes;
    constexpr int reads = stage_vectors / block;
    static_assert(Op::form != Form::of_pairs, "a stage holds one array");
    static_assert(reads >= 1 && stage_vectors % block == 0, "every thread reads equally many vectors of a stage");
    extern __shared__ uint4 staged[];
    __shared__ CopyBarrier filled[stages];

    const u32 head = misaligned_head<line>(a.input, a.n);
    const u64 whole_stages = (a.n - head) / stage_elements;
    const u64 rounds = whole_stages > blockIdx.x ? (whole_stages - blockIdx.x - 1) / gridDim.x + 1 : 0;
    const auto first_element = [&](u64 round) { return head + (blockIdx.x + round * gridDim.x) * stage_elements; };
    const auto start_copy = [&](u64 round, u32 stage) {
        arrive_expecting(filled[stage], stage_bytes);
        bulk_copy(staged + stage * stage_vectors, a.input + first_element(round), stage_bytes, filled[stage]);
    };
    if (threadIdx.x == 0) {
#pragma unroll
        for (int stage = 0; stage < stages; ++stage) init_barrier(filled[stage], 1);
        fence_barrier_init();
#pragma unroll
        for (int stage = 0; stage < stages; ++stage) {
            if (u64(stage) < rounds) start_copy(stage, stage);
        }
    }

    typename P::Accumulator sums[accumulator_count<P, 16, reads, 4>];
#pragma unroll
    for (auto& sum : sums) sum = Op::identity();
    auto outside = Op::identity();
    if (blockIdx.x == gridDim.x - 1) {
        outside = accumulate_outside_stages<P, block, line, path>(a, head, whole_stages * stage_vectors);
    }
    __syncthreads();  // the mbarriers are initialised

    u32 stage = 0;
    u32 parity = 0;
    for (u64 round = 0; round < rounds; ++round) {
        wait_barrier(filled[stage], parity);
        V x[reads];
#pragma unroll
        for (int i = 0; i < reads; ++i) {
            const uint4 word = staged[stage * stage_vectors + i * block + threadIdx.x];
            memcpy(x[i].words, &word, sizeof(x[i]));
        }
        const u64 index = first_element(round) + threadIdx.x * V::lanes;
        fold_vectors<P>(sums, x, x, [](int) { return true; }, index, block * V::lanes);
        if (round + stages < rounds) {
            __syncthreads();  // all threads have read the stage
            if (threadIdx.x == 0) start_copy(round + stages, stage);
        }
        if (++stage == stages) {
            stage = 0;
            parity ^= 1;
        }
    }
    return Op::combine(outside, combine_in_order<Op>(sums));
}

}  // namespace redtune
