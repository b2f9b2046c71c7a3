// The publish finish. The grid consists of parts: each part is one block, or one cluster of blocks. Every part but the
// first stores its partial and a flag in one word, and the first block of the grid polls these words.
#pragma once

#include "kernels_src/memory_model.cuh"
#include "kernels_src/results.cuh"

namespace redtune {

/// The encoding of a word that holds a partial and a flag; the flag says that the partial has been stored. The word is
/// read and written by single memory operations, so no fence is needed between partial and flag. A word without a
/// partial is zero.
template <class Accumulator, int bytes = sizeof(Accumulator)>
struct FlaggedPartial;

template <class Accumulator>
struct FlaggedPartial<Accumulator, 4> {
    using Word = u64;
    static constexpr u64 flag = u64(1) << 32;
    static __device__ Word encode(Accumulator value) {
        u32 bits;
        memcpy(&bits, &value, sizeof(bits));
        return flag | bits;
    }
    static __device__ bool is_stored(Word word) { return word >= flag; }
    static __device__ Accumulator decode(Word word) {
        const u32 bits = u32(word);
        Accumulator value;
        memcpy(&value, &bits, sizeof(value));
        return value;
    }
    static __device__ Word empty() { return 0; }
};

template <class Accumulator>
struct FlaggedPartial<Accumulator, 8> {
    using Word = Word128;
    static __device__ Word encode(Accumulator value) {
        Word word{0, 1};
        memcpy(&word.low, &value, sizeof(value));
        return word;
    }
    static __device__ bool is_stored(Word word) { return word.high != 0; }
    static __device__ Accumulator decode(Word word) {
        Accumulator value;
        memcpy(&value, &word.low, sizeof(value));
        return value;
    }
    static __device__ Word empty() { return {0, 0}; }
};

/// The index also serves as the flag. It is stored plus 2, so that a stored index is never 0: no_index, which is 2^64 -
/// 1, becomes 1.
template <class T>
struct FlaggedPartial<Indexed<T>, 16> {
    using Word = Word128;
    static __device__ Word encode(const Indexed<T>& value) { return {value.key, value.index + 2}; }
    static __device__ bool is_stored(Word word) { return word.high != 0; }
    static __device__ Indexed<T> decode(Word word) { return {typename Indexed<T>::Key(word.low), word.high - 2}; }
    static __device__ Word empty() { return {0, 0}; }
};

/// The words that one thread loads in one poll: those of the parts first, first + stride, ..., `count` in all.
template <class Accumulator, int count>
struct PolledWords {
    using Partial = FlaggedPartial<Accumulator>;
    typename Partial::Word word[count];

    __device__ void load(const typename Partial::Word* words, u32 first, u32 stride, u32 parts) {
#pragma unroll
        for (int i = 0; i < count; ++i) word[i] = load_relaxed(words + clamp_index(first + i * stride, parts));
    }

    /// Returns whether a part exists and publishes a partial. Part 0 publishes none: it polls.
    __device__ static bool is_published(u32 part, u32 parts) { return part != 0 && part < parts; }

    /// Returns whether each word held its part's partial when the word was loaded. Parts that do not exist or publish
    /// nothing do not count.
    __device__ bool is_complete(u32 first, u32 stride, u32 parts) const {
        bool is_complete = true;
#pragma unroll
        for (int i = 0; i < count; ++i) {
            is_complete = is_complete && (!is_published(first + i * stride, parts) || Partial::is_stored(word[i]));
        }
        return is_complete;
    }

    /// Returns `value` combined with the partials; is_complete() must hold.
    template <class Op>
    __device__ Accumulator combine(u32 first, u32 stride, u32 parts, Accumulator value) const {
#pragma unroll
        for (int i = 0; i < count; ++i) {
            if (is_published(first + i * stride, parts)) value = Op::combine(value, Partial::decode(word[i]));
        }
        return value;
    }
};

/// Returns `value` combined with the partials of the parts rank, rank + stride, ...; each poll reads `unroll` words.
/// All lanes of a warp call it, and poll until every lane has seen its partials.
template <class Op, int unroll, class Accumulator>
__device__ Accumulator poll_unrolled(const typename FlaggedPartial<Accumulator>::Word* words, u32 parts, u32 rank,
                                     u32 stride, Accumulator value) {
    for (u32 base = 0; base < parts; base += unroll * stride) {
        const u32 first = base + rank;
        PolledWords<Accumulator, unroll> polled;
        do {
            polled.load(words, first, stride, parts);
        } while (!__all_sync(full_warp, polled.is_complete(first, stride, parts)));
        value = polled.template combine<Op>(first, stride, parts, value);
    }
    return value;
}

/// Returns the result of poll_unrolled() with the lowest unroll factor that reads all words in one poll, or with 8 if
/// there are too many words for that.
template <class Op, class Accumulator>
__device__ Accumulator poll_partials(const typename FlaggedPartial<Accumulator>::Word* words, u32 parts, u32 rank,
                                     u32 stride, Accumulator value) {
    if (parts <= stride) return poll_unrolled<Op, 1>(words, parts, rank, stride, value);
    if (parts <= 2 * stride) return poll_unrolled<Op, 2>(words, parts, rank, stride, value);
    if (parts <= 4 * stride) return poll_unrolled<Op, 4>(words, parts, rank, stride, value);
    return poll_unrolled<Op, 8>(words, parts, rank, stride, value);
}

/// Clears the words of the parts rank, rank + stride, ..., because they must be zero at the next call.
template <class Accumulator>
__device__ void clear_words(typename FlaggedPartial<Accumulator>::Word* words, u32 parts, u32 rank, u32 stride) {
    for (u32 part = rank; part < parts; part += stride) {
        store_relaxed(words + part, FlaggedPartial<Accumulator>::empty());
    }
}

/// Publishes the value, valid in thread 0, of part `part` of the `parts` parts of the grid. Part 0 polls the other
/// parts' partials and writes the result; the other parts need forward progress meanwhile. Few parts are polled by one
/// warp, which saves a block-wide combination, many parts by the whole block. All threads call it.
template <class P, int block>
__device__ void finish_publish(const Arguments<P>& a, typename P::Accumulator value, u32 part, u32 parts) {
    using Op = typename P::Operator;
    using Accumulator = typename P::Accumulator;
    using Partial = FlaggedPartial<Accumulator>;
    auto* words = static_cast<typename Partial::Word*>(a.slots);
    if (part != 0) {
        if (threadIdx.x == 0) store_relaxed(words + part, Partial::encode(value));
        return;
    }
    if (threadIdx.x != 0) value = Op::identity();
    constexpr u32 most_for_one_warp = 256;
    const bool is_one_warp = block == 32 || parts <= most_for_one_warp;
    if (is_one_warp) {
        if (threadIdx.x >= 32) return;
        value = combine_warp<Op>(poll_partials<Op>(words, parts, threadIdx.x, 32, value));
    } else {
        value = poll_partials<Op>(words, parts, threadIdx.x, block, value);
        __syncthreads();  // combine_block() is about to reuse its shared memory
        value = combine_block<Op, block>(value);
    }
    if (threadIdx.x == 0) store_result(a, value);
    // The words are cleared after the result has been written, so that the result is not delayed.
    clear_words<Accumulator>(words, parts, threadIdx.x, is_one_warp ? 32 : block);
}

}  // namespace redtune
