// The atomic finish: blocks combine their values in memory by atomic operations, in the order of their arrival.
#pragma once

#include "kernels_src/results.cuh"

namespace redtune {

/// An accumulator of 4 or 8 bytes in global memory. Its bits are stored XOR the bits of the operator's identity: the
/// identity is then stored as zero, which is what the workspace holds between calls.
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
            // The bits of addition's identity are all zero, so the stored word is the sum itself.
            using Word = typename WrappingType<Accumulator>::type;
            atomicAdd(reinterpret_cast<Word*>(at), Word(value));
        } else {
            u64 expected = 0;  // the stored word before any block has arrived
            for (;;) {
                const u64 found = atomicCAS(at, expected, encode(Op::combine(decode(expected), value)));
                if (found == expected) return;
                expected = found;
            }
        }
    }
};

/// Combines the block's value, valid in thread 0, into the accumulator in the workspace. The last block to arrive
/// writes the result.
template <class P>
__device__ void finish_atomic(const Arguments<P>& a, typename P::Accumulator value) {
    using Stored = StoredAccumulator<P>;
    static_assert(sizeof(value) <= sizeof(a.header->accumulators[0]), "the accumulator is one atomic word");
    if (threadIdx.x != 0) return;
    Stored::combine(&a.header->accumulators[0], value);
    if (arrives_last(a.header)) store_result(a, Stored::decode(atomicExch(&a.header->accumulators[0], u64(0))));
}

}  // namespace redtune
