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

/// Some published words, as one look finds them: of parts first, first + step ..., and the last part's in place of
/// those from `parts` on, as loads under a condition would be waited for one by one.
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

    /// The last part's word may have been collected by its own thread: only that one asks for it.
    __device__ bool is_complete(u32 first, u32 step, u32 parts) const {
        bool is_complete = true;
#pragma unroll
        for (int i = 0; i < count; ++i) {
            is_complete = is_complete && (first + i * step >= parts || Partial::is_there(word[i]));
        }
        return is_complete;
    }

    /// A complete look's parts combined with `value`; their words are left as nothing.
    template <class Op>
    __device__ Accumulator collect(typename Partial::Word* words, u32 first, u32 step, u32 parts,
                                   Accumulator value) const {
#pragma unroll
        for (int i = 0; i < count; ++i) {
            const u32 part = first + i * step;
            if (part >= parts) break;
            value = Op::combine(value, Partial::decode(word[i]));
            store_relaxed(words + part, Partial::nothing());
        }
        return value;
    }
};

/// About a third of the time that a look takes.
__device__ inline void pause_between_looks() {
    constexpr long long cycles = 150;
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

/// The published words of parts rank + 1, rank + 1 + step ... combined, `at_once` by one look; each word is left as
/// nothing. Several looks are under way at a time, apart from each other: what comes is seen sooner than by one look
/// after the other.
template <class Op, int looks, int at_once, class Accumulator>
__device__ Accumulator collect_looks(typename Published<Accumulator>::Word* words, u32 parts, u32 rank, u32 step,
                                     Accumulator value) {
    for (u32 first = 1 + rank; first < parts; first += at_once * step) {
        Look<Accumulator, at_once> under_way[looks];
#pragma unroll
        for (int look = 0; look < looks; ++look) {
            if (look > 0) pause_between_looks();
            under_way[look].take(words, first, step, parts);
        }
        Look<Accumulator, at_once> seen;
        bool is_complete = false;
        while (!is_complete) {
#pragma unroll
            for (int look = 0; look < looks; ++look) {
                if (is_complete) break;
                seen = under_way[look];
                is_complete = seen.is_complete(first, step, parts);
                if (!is_complete) under_way[look].take(words, first, step, parts);
            }
        }
        value = seen.template collect<Op>(words, first, step, parts, value);
    }
    return value;
}

/// The same by as few loads as all parts take: every look waits for all of its own.
template <class Op, int looks, class Accumulator>
__device__ Accumulator collect_published(typename Published<Accumulator>::Word* words, u32 parts, u32 rank, u32 step,
                                         Accumulator value) {
    if (parts - 1 <= step) return collect_looks<Op, looks, 1>(words, parts, rank, step, value);
    if (parts - 1 <= 2 * step) return collect_looks<Op, looks, 2>(words, parts, rank, step, value);
    return collect_looks<Op, looks, 4>(words, parts, rank, step, value);
}

/// Part `part` of `parts` of the grid hands over its value, valid in thread 0; part 0 writes the result. One warp waits
/// for few parts, as that saves the block's combination; the whole block waits for many.
template <class P, int block, int looks>
__device__ void finish_publish(const Arguments<P>& a, typename P::Accumulator value, u32 part, u32 parts) {
    using Op = typename P::Operator;
    using Partial = Published<typename P::Accumulator>;
    auto* words = static_cast<typename Partial::Word*>(a.slots);
    if (part != 0) {
        if (threadIdx.x == 0) store_relaxed(words + part, Partial::encode(value));
        return;
    }
    if (threadIdx.x != 0) value = Op::identity();
    constexpr u32 few = 256;
    if (block == 32 || parts <= few) {
        if (threadIdx.x >= 32) return;
        value = combine_warp<Op>(collect_published<Op, looks>(words, parts, threadIdx.x, 32, value));
    } else {
        value = collect_published<Op, looks>(words, parts, threadIdx.x, block, value);
        __syncthreads();  // the shared memory of the block's first combination is free
        value = combine_block<Op, block>(value);
    }
    if (threadIdx.x == 0) store_result(a, value);
}

}  // namespace redtune
