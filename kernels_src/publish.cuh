// Partials that announce themselves: value and flag in one word, which the first block waits for.
#pragma once

#include "kernels_src/memory_model.cuh"
#include "kernels_src/results.cuh"

namespace redtune {

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
    static __device__ Word encode(const Indexed<T>& value) { return {value.key, value.index + 2}; }
    static __device__ bool is_there(Word word) { return word.high != 0; }
    static __device__ Indexed<T> decode(Word word) { return {typename Indexed<T>::Key(word.low), word.high - 2}; }
    static __device__ Word nothing() { return {0, 0}; }
};

/// The published words of parts first, first + step ..., as one look finds them; the last part's in place of those from
/// `parts` on, as loads under a condition would be waited for one by one.
template <class Accumulator, int count>
struct Look {
    using Partial = Published<Accumulator>;
    typename Partial::Word word[count];

    __device__ void take(const typename Partial::Word* words, u32 first, u32 step, u32 parts) {
#pragma unroll
        for (int i = 0; i < count; ++i) {
            const u32 part = first + i * step;
            word[i] = load_relaxed(words + (part < parts ? part : parts - 1));
        }
    }

    /// Part 0 publishes nothing.
    __device__ static bool is_awaited(u32 part, u32 parts) { return part != 0 && part < parts; }

    __device__ bool is_complete(u32 first, u32 step, u32 parts) const {
        bool is_complete = true;
#pragma unroll
        for (int i = 0; i < count; ++i) {
            is_complete = is_complete && (!is_awaited(first + i * step, parts) || Partial::is_there(word[i]));
        }
        return is_complete;
    }

    /// A complete look's parts combined with `value`.
    template <class Op>
    __device__ Accumulator combine(u32 first, u32 step, u32 parts, Accumulator value) const {
#pragma unroll
        for (int i = 0; i < count; ++i) {
            if (is_awaited(first + i * step, parts)) value = Op::combine(value, Partial::decode(word[i]));
        }
        return value;
    }
};

/// The published words of parts rank, rank + step ... combined with `value`, as soon as they are there, `at_once` by
/// one look. Whole warps call it, and look until each of their lanes has seen what it waits for.
template <class Op, int at_once, class Accumulator>
__device__ Accumulator combine_looks(const typename Published<Accumulator>::Word* words, u32 parts, u32 rank, u32 step,
                                     Accumulator value) {
    for (u32 base = 0; base < parts; base += at_once * step) {
        const u32 first = base + rank;
        Look<Accumulator, at_once> look;
        do {
            look.take(words, first, step, parts);
        } while (!__all_sync(full_warp, look.is_complete(first, step, parts)));
        value = look.template combine<Op>(first, step, parts, value);
    }
    return value;
}

/// The same by as few loads as all parts take: every look waits for all of its own.
template <class Op, class Accumulator>
__device__ Accumulator combine_published(const typename Published<Accumulator>::Word* words, u32 parts, u32 rank,
                                         u32 step, Accumulator value) {
    if (parts <= step) return combine_looks<Op, 1>(words, parts, rank, step, value);
    if (parts <= 2 * step) return combine_looks<Op, 2>(words, parts, rank, step, value);
    if (parts <= 4 * step) return combine_looks<Op, 4>(words, parts, rank, step, value);
    return combine_looks<Op, 8>(words, parts, rank, step, value);
}

/// Leaves the words of parts rank, rank + step ... as nothing, for the next call.
template <class Accumulator>
__device__ void clear_published(typename Published<Accumulator>::Word* words, u32 parts, u32 rank, u32 step) {
    for (u32 part = rank; part < parts; part += step) store_relaxed(words + part, Published<Accumulator>::nothing());
}

/// Part `part` of `parts` of the grid hands over its value, valid in thread 0; part 0 writes the result. One warp waits
/// for few parts, as that saves the block's combination; the whole block waits for many.
template <class P, int block>
__device__ void finish_publish(const Arguments<P>& a, typename P::Accumulator value, u32 part, u32 parts) {
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;
    using Partial = Published<Accumulator>;
    auto* words = static_cast<typename Partial::Word*>(a.slots);
    if (part != 0) {
        if (threadIdx.x == 0) store_relaxed(words + part, Partial::encode(value));
        return;
    }
    if (threadIdx.x != 0) value = Op::identity();
    constexpr u32 few = 256;
    const bool is_one_warp = block == 32 || parts <= few;
    if (is_one_warp) {
        if (threadIdx.x >= 32) return;
        value = combine_warp<Op>(combine_published<Op>(words, parts, threadIdx.x, 32, value));
    } else {
        value = combine_published<Op>(words, parts, threadIdx.x, block, value);
        __syncthreads();  // the shared memory of the block's first combination is free
        value = combine_block<Op, block>(value);
    }
    if (threadIdx.x == 0) store_result(a, value);
    // Last, as the result does not wait for it.
    clear_published<Accumulator>(words, parts, threadIdx.x, is_one_warp ? 32 : block);
}

}  // namespace redtune
