// How the values of all blocks become one result.
#pragma once

#include "kernels_src/combine_block.cuh"

namespace redtune {

/// two_kernel: every block stores a partial; a second launch combines them.
/// ticket: the block that arrives last, by an atomic counter that wraps to zero, combines all partials.
/// publish: every block but the first stores partial and flag in one 8-byte word; the first polls the words,
///          combines them and clears them. No fence, no atomic. Needs the other blocks to make progress while the
///          first waits.
/// All three combine the partials in an order that depends on grid and block only: deterministic.
enum class Finish { two_kernel, ticket, publish };

template <class P>
__device__ void store_result(const Arguments<P>& a, typename P::Accumulator value) {
    *a.output = P::Operator::finish(value);
}

/// All partials combined by one block; valid in thread 0.
template <class P, int block>
__device__ typename P::Accumulator combine_slots(const typename P::Accumulator* slots, u64 count) {
    using Op = typename P::Operator;
    typename P::Accumulator value = Op::identity();
#pragma unroll 4
    for (u64 i = threadIdx.x; i < count; i += block) value = Op::combine(value, __ldcg(slots + i));
    return combine_block<Op, block>(value);
}

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
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __stcg(slots + blockIdx.x, value);
        __threadfence();  // the partial before the arrival
        last = atomicInc(&a.header->arrivals, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();  // the arrivals before the partials
    value = combine_slots<P, block>(slots, gridDim.x);
    if (threadIdx.x == 0) store_result(a, value);
}

__device__ inline u64 load_relaxed(const u64* from) {
    u64 word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    return word;
}

__device__ inline void store_relaxed(u64* to, u64 word) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(word) : "memory");
}

template <class P, int block>
__device__ void finish_publish(const Arguments<P>& a, typename P::Accumulator value) {
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;
    static_assert(sizeof(Accumulator) == 4, "partial and flag share an 8-byte word");
    constexpr u64 published = u64(1) << 32;
    auto* words = static_cast<u64*>(a.slots);
    if (blockIdx.x != 0) {
        if (threadIdx.x == 0) {
            u32 bits;
            memcpy(&bits, &value, sizeof(bits));
            store_relaxed(words + blockIdx.x, published | bits);
        }
        return;
    }
    if (threadIdx.x != 0) value = Op::identity();
    for (u32 b = 1 + threadIdx.x; b < gridDim.x; b += block) {
        u64 word;
        do {
            word = load_relaxed(words + b);
        } while (word < published);
        const u32 bits = u32(word);
        Accumulator partial;
        memcpy(&partial, &bits, sizeof(partial));
        value = Op::combine(value, partial);
        store_relaxed(words + b, 0);
    }
    __syncthreads();  // the shared memory of the block's first combination is free
    value = combine_block<Op, block>(value);
    if (threadIdx.x == 0) store_result(a, value);
}

/// `value` is valid in thread 0 of each block. All threads call it.
template <class P, int block, Finish finish>
__device__ void finish_grid(const Arguments<P>& a, typename P::Accumulator value) {
    if (finish == Finish::two_kernel || gridDim.x == 1) {
        finish_two_kernel<P>(a, value);
    } else if constexpr (finish == Finish::ticket) {
        finish_ticket<P, block>(a, value);
    } else if constexpr (finish == Finish::publish) {
        finish_publish<P, block>(a, value);
    }
}

/// The second launch of a family whose blocks each left a partial. One block of `block` threads.
template <class P, int block>
__global__ void __launch_bounds__(block) combine_partials(const Arguments<PartialsOf<P>> a) {
    const typename P::Accumulator value = combine_slots<P, block>(a.input, a.n);
    if (threadIdx.x == 0) *a.output = P::Operator::finish(value);
}

}  // namespace redtune
