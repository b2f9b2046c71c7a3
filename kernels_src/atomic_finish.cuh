// Partials combined in memory by atomic operations, in the order in which they come.
#pragma once

#include "kernels_src/results.cuh"

namespace redtune {

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

}  // namespace redtune
