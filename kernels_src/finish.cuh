// The ways in which the values of all threads of a grid become one result.
#pragma once

#include "kernels_src/atomic_finish.cuh"
#include "kernels_src/combine_cluster.cuh"
#include "kernels_src/dependent_launch.cuh"
#include "kernels_src/packed_finish.cuh"

namespace redtune {

/// two_kernel: every block stores a partial; a second launch combines the partials.
/// dependent: like two_kernel, with the second launch a programmatic dependent launch (sm_90).
/// ticket: the last block to arrive, by an atomic counter, combines all partials.
/// publish: every block but the first stores its partial and a flag in one word of 8 or 16 bytes; the first block polls
///          the words, combines them and clears them. It needs no fence and no atomic operation, but forward progress of
///          the other blocks while the first polls.
/// cluster: the grid is one cluster of at most 16 blocks, which write to the first one's shared memory (sm_90).
/// cluster_publish: each cluster combines its blocks like `cluster`, and its first block publishes.
/// atomic: every block combines its value into one accumulator; the last block to arrive reads it.
/// packed: for sums; every block adds value and count by 64-bit atomic integer additions, and the first block polls
///         the count. Floats are added in fixed point. It needs forward progress like publish.
/// The result of `atomic` depends on the order in which the blocks arrive. All others are deterministic: packed because
/// integer addition is associative, the others because they combine in an order that the launch fixes.
enum class Finish { two_kernel, dependent, ticket, publish, cluster, cluster_publish, atomic, packed };

/// Stores the block's value, valid in thread 0, for a later launch; a grid of one block writes the result.
template <class P>
__device__ void finish_two_kernel(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x != 0) return;
    if (gridDim.x == 1) {
        store_result(a, value);
    } else {
        static_cast<typename P::Accumulator*>(a.slots)[blockIdx.x] = value;
    }
}

/// Stores the block's value, valid in thread 0; the last block to arrive combines all values. All threads call it.
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

/// Makes each block's `value`, valid in thread 0, part of the result. All threads call it.
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

/// Starts what the finish needs of other blocks or launches, so that it overlaps the loads. All threads call it at the
/// start of the kernel. pdl: see begin_pdl().
template <class P, int block, Finish finish, bool pdl = false>
__device__ void begin_finish() {
    if constexpr (finish == Finish::cluster || finish == Finish::cluster_publish) {
        begin_combine_cluster<typename P::Accumulator, block>();  // uses shared memory only, so that it may precede the wait
    }
    begin_pdl<pdl>();
    if constexpr (finish == Finish::dependent && !pdl) launch_dependents();
}

/// Returns the sample of the input if the finish needs one. All threads call it while the loads are in flight.
template <class P, Finish finish>
__device__ Sample<P> load_sample_for(const Arguments<P>& a) {
    if constexpr (IsFloat<typename P::Accumulator>::value && finish == Finish::packed) return load_sample(a);
    return {};
}

/// Makes each thread's `value` part of the result. sample: from load_sample_for(). All threads call it.
template <class P, int block, Finish finish>
__device__ void reduce_grid(const Arguments<P>& a, typename P::Accumulator value, const Sample<P>& sample = {}) {
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
        finish_packed<P, block>(a, value, sample);
    } else {
        finish_grid<P, block, finish>(a, combine_block<Op, block>(value));
    }
}

/// The second launch of families whose blocks each store a partial: one block for each result combines a.row_length
/// partials. It waits for the first launch, and so ends after it: a next call that waits for this waits for both.
template <class P, int block>
__global__ void __launch_bounds__(block) combine_partials(const Arguments<PartialsOf<P>> a) {
    begin_pdl<true>();
    const u64 first = u64(blockIdx.x) * a.row_length;
    if (first >= a.n) return;  // no rows
    const typename P::Accumulator value = combine_slots<P, block>(a.input + first, a.row_length);
    if (threadIdx.x == 0) a.output[blockIdx.x] = P::Operator::finish(value, a.count);
}

}  // namespace redtune
