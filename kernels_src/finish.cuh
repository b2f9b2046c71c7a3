// How the values of all blocks become one result.
#pragma once

#include "kernels_src/combine_block.cuh"
#include "kernels_src/memory_model.cuh"

namespace redtune {

/// two_kernel: every block stores a partial; a second launch combines them.
/// ticket: the block that arrives last, by an atomic counter that wraps to zero, combines all partials.
/// publish: every block but the first stores partial and flag in one word of 8 or 16 bytes; the first polls the words,
///          combines them and clears them. No fence, no atomic. Needs the other blocks to make progress while the
///          first waits.
/// atomic: every block combines its value into one accumulator; the block that arrives last reads it.
/// The first three combine the partials in an order that depends on grid and block only: deterministic. The fourth
/// combines them as the blocks arrive.
enum class Finish { two_kernel, ticket, publish, atomic };

template <class P>
__device__ void store_result(const Arguments<P>& a, typename P::Accumulator value) {
    *a.output = P::Operator::finish(value, a.count);
}

/// All partials combined by one block; valid in thread 0.
template <class P, int block>
__device__ typename P::Accumulator combine_slots(const typename P::Accumulator* slots, u64 count) {
    using Op = typename P::Operator;
    typename P::Accumulator value = Op::identity();
#pragma unroll 4
    for (u64 i = threadIdx.x; i < count; i += block) value = Op::combine(value, slots[i]);
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

/// Whether this block, of all, is the last to get here; for thread 0. What the blocks stored before is then visible
/// to this thread, and to its block behind the next barrier.
__device__ inline bool arrives_last(WorkspaceHeader* header) {
    __threadfence();  // what this block stored before its arrival
    const bool is_last = atomicInc(&header->arrivals, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // the arrivals before what the others stored
    return is_last;
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

/// A partial and the flag that it is there, in one word that is zero while it is not.
template <class Accumulator, int bytes = sizeof(Accumulator)>
struct Published;

template <class Accumulator>
struct Published<Accumulator, 4> {
    using Word = u64;
    static constexpr u64 flag = u64(1) << 32;
    static __device__ Word encode(Accumulator value) {
        u32 bits;
        memcpy(&bits, &value, sizeof(bits));
        return flag | bits;
    }
    static __device__ bool is_there(Word word) { return word >= flag; }
    static __device__ Accumulator decode(Word word) {
        const u32 bits = u32(word);
        Accumulator value;
        memcpy(&value, &bits, sizeof(value));
        return value;
    }
    static __device__ Word nothing() { return 0; }
};

template <class Accumulator>
struct Published<Accumulator, 8> {
    using Word = Word128;
    static __device__ Word encode(Accumulator value) {
        Word word{0, 1};
        memcpy(&word.low, &value, sizeof(value));
        return word;
    }
    static __device__ bool is_there(Word word) { return word.high != 0; }
    static __device__ Accumulator decode(Word word) {
        Accumulator value;
        memcpy(&value, &word.low, sizeof(value));
        return value;
    }
    static __device__ Word nothing() { return {0, 0}; }
};

/// The index is its own flag: it is stored with 2 added, so that no_index, the largest, is not 0 either.
template <class T>
struct Published<Indexed<T>, 16> {
    using Word = Word128;
    static __device__ Word encode(const Indexed<T>& value) {
        return {value.key, value.index + 2};
    }
    static __device__ bool is_there(Word word) { return word.high != 0; }
    static __device__ Indexed<T> decode(Word word) {
        return {typename Indexed<T>::Key(word.low), word.high - 2};
    }
    static __device__ Word nothing() { return {0, 0}; }
};

template <class P, int block>
__device__ void finish_publish(const Arguments<P>& a, typename P::Accumulator value) {
    using Op = typename P::Operator;
    using Partial = Published<typename P::Accumulator>;
    auto* words = static_cast<typename Partial::Word*>(a.slots);
    if (blockIdx.x != 0) {
        if (threadIdx.x == 0) store_relaxed(words + blockIdx.x, Partial::encode(value));
        return;
    }
    if (threadIdx.x != 0) value = Op::identity();
    for (u32 b = 1 + threadIdx.x; b < gridDim.x; b += block) {
        auto word = Partial::nothing();
        do {
            word = load_relaxed(words + b);
        } while (!Partial::is_there(word));
        value = Op::combine(value, Partial::decode(word));
        store_relaxed(words + b, Partial::nothing());
    }
    __syncthreads();  // the shared memory of the block's first combination is free
    value = combine_block<Op, block>(value);
    if (threadIdx.x == 0) store_result(a, value);
}

/// An accumulator in memory that is zero between calls, whatever the operator's identity: what is stored is the value's
/// bits exclusive-or the identity's. Accumulators of 4 or 8 bytes.
template <class P>
struct StoredAccumulator {
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;

    static __device__ u64 encode(Accumulator value) {
        const Accumulator identity = Op::identity();
        u64 bits = 0;
        u64 identity_bits = 0;
        memcpy(&bits, &value, sizeof(value));
        memcpy(&identity_bits, &identity, sizeof(identity));
        return bits ^ identity_bits;
    }

    static __device__ Accumulator decode(u64 stored) {
        const Accumulator identity = Op::identity();
        u64 bits = 0;
        memcpy(&bits, &identity, sizeof(identity));
        bits ^= stored;
        Accumulator value;
        memcpy(&value, &bits, sizeof(value));
        return value;
    }

    static __device__ void combine(u64* at, Accumulator value) {
        if constexpr (Op::is_addition) {
            // The identity's bits are zero: what is stored is the sum itself.
            using Word = typename WrappingType<Accumulator>::type;
            atomicAdd(reinterpret_cast<Word*>(at), Word(value));
        } else {
            u64 seen = 0;  // what it mostly is for the first block
            for (;;) {
                const u64 found = atomicCAS(at, seen, encode(Op::combine(decode(seen), value)));
                if (found == seen) return;
                seen = found;
            }
        }
    }
};

template <class P>
__device__ void finish_atomic(const Arguments<P>& a, typename P::Accumulator value) {
    using Stored = StoredAccumulator<P>;
    static_assert(sizeof(value) <= sizeof(a.header->accumulator), "the accumulator is one atomic word");
    if (threadIdx.x != 0) return;
    Stored::combine(&a.header->accumulator, value);
    if (arrives_last(a.header)) store_result(a, Stored::decode(atomicExch(&a.header->accumulator, u64(0))));
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
    } else if constexpr (finish == Finish::atomic) {
        finish_atomic<P>(a, value);
    }
}

/// The second launch of a family whose blocks each left a partial: a block for each result, of a.row_length partials.
template <class P, int block>
__global__ void __launch_bounds__(block) combine_partials(const Arguments<PartialsOf<P>> a) {
    const u64 first = u64(blockIdx.x) * a.row_length;
    if (first >= a.n) return;  // no rows
    const typename P::Accumulator value = combine_slots<P, block>(a.input + first, a.row_length);
    if (threadIdx.x == 0) a.output[blockIdx.x] = P::Operator::finish(value, a.count);
}

}  // namespace redtune
