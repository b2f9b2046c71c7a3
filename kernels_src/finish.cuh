// How the values of all threads become one result.
#pragma once

#include "kernels_src/atomic_finish.cuh"
#include "kernels_src/chain.cuh"
#include "kernels_src/combine_cluster.cuh"
#include "kernels_src/packed_finish.cuh"

namespace redtune {

/// two_kernel: every block stores a partial; a second launch combines them.
/// dependent: the same, and the second launch waits on the device while the first one runs (sm_90).
/// ticket: the block that arrives last, by an atomic counter that wraps to zero, combines all partials.
/// publish: every block but the first stores partial and flag in one word of 8 or 16 bytes; the first polls the words,
///          combines them and clears them. No fence, no atomic. Needs the other blocks to make progress while the
///          first waits.
/// cluster: the grid is one cluster of at most 16 blocks, which write to the first one's shared memory (sm_90).
/// cluster_publish: clusters do so, and the first block of each publishes.
/// atomic: every block combines its value into one accumulator; the block that arrives last reads it.
/// packed: one or two atomic additions of 64 bits carry value and count, and the first block polls what they come to;
///         for sums, of floats in fixed point. Needs of the other blocks what publish does.
/// atomic combines the partials as the blocks arrive; packed as well, but in a way that does not show; the others in an
/// order that depends on the launch only: all but atomic are deterministic.
enum class Finish { two_kernel, dependent, ticket, publish, cluster, cluster_publish, atomic, packed };

/// Leaves the block's value, valid in thread 0, to a later launch; the only block of a grid writes the result.
template <class P>
__device__ void finish_two_kernel(const Arguments<P>& a, typename P::Accumulator value) {
    if (threadIdx.x != 0) return;
    if (gridDim.x == 1) {
        store_result(a, value);
    } else {
        static_cast<typename P::Accumulator*>(a.slots)[blockIdx.x] = value;
    }
}

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

/// `value` is valid in thread 0 of each block. All threads call it.
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

/// What a kernel begins with, so that what the finish needs of other blocks or launches is under way while it loads.
/// pdl: see begin_in_chain().
template <class P, int block, Finish finish, bool pdl = false>
__device__ void begin_finish() {
    if constexpr (finish == Finish::cluster || finish == Finish::cluster_publish) {
        begin_cluster<typename P::Accumulator, block>();  // shared memory only: it need not wait
    }
    begin_in_chain<pdl>();
    if constexpr (finish == Finish::dependent && !pdl) let_next_grid_start();
}

/// What a finish has to know of the elements; asked for while the kernel loads.
template <class P, Finish finish>
__device__ Sample<P> sample_for(const Arguments<P>& a) {
    if constexpr (IsFloat<typename P::Accumulator>::value && finish == Finish::packed) return take_sample(a);
    return {};
}

/// Each thread's `value` becomes part of the result. sample: what sample_for() returned.
/// All threads call it.
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

/// The second launch of a family whose blocks each left a partial: a block for each result, of a.row_length partials.
/// It has ended only when the launch ahead of it has, as it waits for that: the next call waits for both.
template <class P, int block>
__global__ void __launch_bounds__(block) combine_partials(const Arguments<PartialsOf<P>> a) {
    begin_in_chain<true>();
    const u64 first = u64(blockIdx.x) * a.row_length;
    if (first >= a.n) return;  // no rows
    const typename P::Accumulator value = combine_slots<P, block>(a.input + first, a.row_length);
    if (threadIdx.x == 0) a.output[blockIdx.x] = P::Operator::finish(value, a.count);
}

}  // namespace redtune
