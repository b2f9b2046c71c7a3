// The finishes: ways to combine the values of all threads of a grid into one result.
#pragma once

#include "kernels_src/atomic_finish.cuh"
#include "kernels_src/combine_cluster.cuh"
#include "kernels_src/dependent_launch.cuh"
#include "kernels_src/packed_finish.cuh"

namespace redtune {

/// two_kernel: every block stores a partial; a second launch combines the partials.
/// dependent: like two_kernel, but the second launch is a programmatic dependent launch (sm_90).
/// ticket: every block stores a partial and increments an atomic counter. The block that arrives last combines all
/// partials.
/// publish: every block but the first stores its partial and a flag in one word of 8 or 16 bytes. The first block polls
/// the words, combines them and clears them. It needs no fence and no read-modify-write, but the other blocks need
/// forward progress while the first block polls.
/// cluster: the grid is one cluster of at most 16 blocks, which write to the first block's shared memory (sm_90).
/// cluster_publish: each cluster combines the values of its blocks like `cluster`, and its first block publishes them.
/// atomic: every block combines its value into one accumulator in memory; the last block to arrive reads it.
/// packed: for sums. Every block adds its value and a count of 1 by a 64-bit atomic integer addition, and the first
/// block polls the count. Floats are added exactly, in bins of exponents. The other blocks need forward progress, as in
/// `publish`.
/// The result of `atomic` depends on the order in which the blocks arrive. All other finishes are deterministic: packed
/// because integer addition is associative, the others because the launch fixes the order in which they combine.
enum class Finish { two_kernel, dependent, ticket, publish, cluster, cluster_publish, atomic, packed };

/// Stores the block's value, valid in thread 0, for a later launch. A grid of one block writes the result instead.
template <class P>
__device__ void finish_two_kernel(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x != 0) return;
    if (gridDim.x == 1) {
        store_result(a, value);
    } else {
        static_cast<typename P::Accumulator*>(a.slots)[blockIdx.x] = value;
    }
}

/// Stores the block's value, valid in thread 0. The last block to arrive combines all values. All threads call it.
template <class P, int block>
__device__ void finish_ticket(const Arguments<P>& a, typename P::Accumulator value) {
    auto* slots = static_cast<typename P::Accumulator*>(a.slots);
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        slots[blockIdx.x] = value;
        is_last = arrives_last(a.header);
    }
    __syncthreads();
    if (!is_last) return;
    value = combine_slots<P, block>(slots, gridDim.x);
    if (threadIdx.x == 0) store_result(a, value);
}

/// Combines each block's `value`, valid in thread 0, into the result. All threads call it.
template <class P, int block, Finish finish>
__device__ void finish_grid(const Arguments<P>& a, typename P::Accumulator value) {
    if (finish == Finish::two_kernel || finish == Finish::dependent || gridDim.x == 1) {
        finish_two_kernel<P>(a, value);
    } else if constexpr (finish == Finish::ticket) {
        finish_ticket<P, block>(a, value);
    } else if constexpr (finish == Finish::publish) {
        finish_publish<P, block>(a, value, blockIdx.x, gridDim.x);
    } else if constexpr (finish == Finish::atomic) {
        finish_atomic<P>(a, value);
    }
}

/// Starts the communication with other blocks or launches that the finish needs, so that it overlaps the loads. All
/// threads call it at the start of the kernel. pdl: see begin_pdl().
template <class P, int block, Finish finish, bool pdl = false>
__device__ void begin_finish() {
    if constexpr (finish == Finish::cluster || finish == Finish::cluster_publish) {
        begin_combine_cluster<typename P::Accumulator, block>();  // may precede the wait: no access to global memory
    }
    begin_pdl<pdl>();
    if constexpr (finish == Finish::dependent && !pdl) launch_dependents();
}

/// Combines each thread's `value` into the result. All threads call it.
template <class P, int block, Finish finish>
__device__ void reduce_grid(const Arguments<P>& a, typename P::Accumulator value) {
    using Op = typename P::Operator;
    if constexpr (finish == Finish::cluster || finish == Finish::cluster_publish) {
        value = combine_cluster<Op, block>(value);
        if (cluster_rank() != 0) return;
        if constexpr (finish == Finish::cluster) {
            if (threadIdx.x == 0) store_result(a, value);
        } else {
            finish_publish<P, block>(a, value, blockIdx.x / cluster_size(), gridDim.x / cluster_size());
        }
    } else if constexpr (finish == Finish::packed) {
        finish_packed<P, block>(a, value);
    } else {
        finish_grid<P, block, finish>(a, combine_block<Op, block>(value));
    }
}

/// The second launch of families whose blocks each store a partial: one block for each result combines a.row_length
/// partials. It waits for the first launch and thus ends after it, so that a later kernel that waits for this launch
/// waits for both.
template <class P, int block>
__global__ void __launch_bounds__(block) combine_partials(const Arguments<PartialsOf<P>> a) {
    begin_pdl<true>();
    const u64 first = u64(blockIdx.x) * a.row_length;
    if (first >= a.n) return;  // the array has no rows
    const typename P::Accumulator value = combine_slots<P, block>(a.input + first, a.row_length);
    if (threadIdx.x == 0) a.output[blockIdx.x] = P::Operator::finish(value, a.count);
}

}  // namespace redtune
