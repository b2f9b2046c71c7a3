// Min, max, argmin and argmax.
#pragma once

#include "kernels_src/extremes.cuh"
#include "kernels_src/half_search.cuh"
#include "kernels_src/operator_form.cuh"

namespace redtune {

/// The base of Min and Max.
template <bool is_max, class Input, class Accumulator, class Output>
struct Extreme : Elementwise {
    static constexpr WarpReduction warp_reduction = is_max ? WarpReduction::max : WarpReduction::min;
    static __device__ Accumulator identity() { return is_max ? lowest<Accumulator>() : highest<Accumulator>(); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return extreme<is_max>(a, b); }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

/// The base of Min and Max of 16-bit floats, which combines their keys (half_keys.cuh).
template <bool is_max, class Input, class Output>
struct ExtremeOfHalves : Elementwise {
    static constexpr WarpReduction warp_reduction = WarpReduction::min;
    /// Returns the key of the worst number: negative infinity for a maximum, positive infinity for a minimum.
    static __device__ HalfKey identity() {
        return half_key_of_bits<is_max>(infinity_bits(Input()) | (is_max ? 0x8000u : 0));
    }
    static __device__ HalfKey transform(Input x) { return half_key<is_max>(x); }
    static __device__ HalfKey combine(HalfKey a, HalfKey b) { return a < b ? a : b; }
    static __device__ Output finish(HalfKey key, u64) { return Output(value_of_half_key<Input, is_max>(key)); }

    template <class V>
    static constexpr bool has_vectors_fold = true;
    template <class V, int count>
    static __device__ HalfKey fold_vectors(HalfKey a, const V (&vectors)[count], u64, u64) {
        return combine(a, lowest_half_key<is_max, Input>(vectors));
    }
    template <class V, int count>
    static __device__ HalfKey reduce_vectors(const V (&vectors)[count], u64, u64) {
        return lowest_half_key<is_max, Input>(vectors);
    }
};
template <bool is_max, class Output>
struct Extreme<is_max, Half, HalfKey, Output> : ExtremeOfHalves<is_max, Half, Output> {};
template <bool is_max, class Output>
struct Extreme<is_max, BFloat16, HalfKey, Output> : ExtremeOfHalves<is_max, BFloat16, Output> {};

/// The smallest element. NaN if any element is NaN; if the result is zero, its sign may be either. Empty input: the
/// largest value of the type, infinity for floats.
template <class Input, class Accumulator, class Output>
struct Min : Extreme<false, Input, Accumulator, Output> {};

/// The largest element; otherwise like Min. Empty input: the smallest value of the type.
template <class Input, class Accumulator, class Output>
struct Max : Extreme<true, Input, Accumulator, Output> {};

/// The result of Argmin and Argmax for an empty input.
constexpr u64 no_index = ~u64(0);

/// The ordered key of an element and its index in the array or row. Comparing keys as integers also handles NaN and
/// signed zeros.
template <class T>
struct alignas(16) Indexed {
    using Key = typename KeyOf<sizeof(T)>::type;
    Key key;
    u64 index;
};

template <class Accumulator>
struct ValueOf;
template <class T>
struct ValueOf<Indexed<T>> {
    using type = T;
};

/// The base of Argmin and Argmax. It selects the lowest key and, among equal keys, the lowest index. NaN has key 0, the
/// lowest.
template <class Input, class Accumulator, class Output, bool is_max>
struct ArgExtreme : WithIndex {
    static constexpr WarpReduction warp_reduction = WarpReduction::arg_min;
    static constexpr bool has_fold = true;
    using Value = typename ValueOf<Accumulator>::type;
    using Key = typename Accumulator::Key;

    static __device__ Accumulator identity() { return {Key(~Key(0)), no_index}; }
    static __device__ Accumulator transform(Input x, u64 index) { return {key_of(x), index}; }
    static __device__ Accumulator combine(const Accumulator& a, const Accumulator& b) {
        return b.key < a.key || (b.key == a.key && b.index < a.index) ? b : a;
    }
    /// Returns combine(a, transform(x, index)) for an index greater than that of `a`.
    static __device__ Accumulator fold(const Accumulator& a, Input x, u64 index) {
        const Key key = key_of(x);
        const bool changes = is_lower(key, a);
        return {changes ? key : a.key, changes ? index : a.index};
    }
    static __device__ Output finish(const Accumulator& a, u64) { return Output(a.index); }

    /// fold_vectors() finds the lowest key of all elements first, and searches for its position only if it is lower
    /// than the key of `a`.
    template <class V>
    static constexpr bool has_vectors_fold = V::lanes > 1;
    template <class V, int count>
    static __device__ Accumulator fold_vectors(const Accumulator& a, const V (&vectors)[count], u64 index, u64 stride) {
        const Key key = lowest_key(vectors);
        if (!is_lower(key, a)) return a;
        return {key, index + offset(find_key(key, vectors), V::lanes, stride)};
    }
    template <class V, int count>
    static __device__ Accumulator reduce_vectors(const V (&vectors)[count], u64 index, u64 stride) {
        const Key key = lowest_key(vectors);
        return {key, index + offset(find_key(key, vectors), V::lanes, stride)};
    }

    template <class V, int count>
    static __device__ Key lowest_key(const V (&vectors)[count]) {
        if constexpr (has_half_keys<Input>) {
            return merge_zero_keys<is_max>(lowest_half_key<is_max, Input>(vectors));
        } else {
            Input extremes[count];
#pragma unroll
            for (int i = 0; i < count; ++i) extremes[i] = extreme_of_vector<is_max>(vectors[i]);
#pragma unroll
            for (int i = 1; i < count; ++i) extremes[0] = extreme<is_max>(extremes[0], extremes[i]);
            return key_of(extremes[0]);
        }
    }
    /// Returns the position, among the elements of all vectors, of the first element that has the key; `not_found` if
    /// there is none. No element may have a lower key.
    template <class V, int count>
    static __device__ u32 find_key(Key key, const V (&vectors)[count]) {
        if constexpr (has_half_keys<Input>) {
            return HalfSearch<Input, is_max, V, count>::first(vectors, key);
        } else {
            const Input value = Input(value_of_ordered_key<Value>(is_max ? Key(~key) : key));
            u32 position = not_found;
#pragma unroll
            for (int i = count * V::lanes - 1; i >= 0; --i) {
                const Input x = vectors[i / V::lanes].lane(i % V::lanes);
                if ((x == value) | is_nan(x)) position = u32(i);  // if there is a NaN, the key is that of NaN
            }
            return position;
        }
    }

    template <class T>
    static __device__ Key key_of(T x) {
        if constexpr (has_half_keys<T>) {
            return merge_zero_keys<is_max>(half_key<is_max>(x));
        } else {
            const Value value = Value(x);
            const Key key = ordered_key(value);
            if constexpr (IsFloat<Value>::value) {
                if (is_nan(value)) return 0;
            }
            return is_max ? Key(~key) : key;
        }
    }

  private:
    /// Returns whether an element with this key replaces `a`; the element comes after the one in `a`. It does if its
    /// key is lower or if `a` is the identity. An integer as wide as its key can have the same key as the identity, so
    /// for such integers the index tells whether `a` is the identity.
    static __device__ bool is_lower(Key key, const Accumulator& a) {
        constexpr bool fills_key = !IsFloat<Value>::value && sizeof(Input) == sizeof(Key);
        return key < a.key || (fills_key && a.index == no_index);
    }

    /// Returns the offset, in elements from the first vector, of element `i` of vectors spaced `stride` elements apart.
    static __device__ u64 offset(u32 i, int lanes, u64 stride) { return i / lanes * stride + i % lanes; }
};

/// The index of the smallest element; the lowest index among equals. The first NaN counts as smaller than any number.
/// Empty input: no_index.
template <class Input, class Accumulator, class Output>
struct Argmin : ArgExtreme<Input, Accumulator, Output, false> {};

/// The index of the largest element; otherwise like Argmin. The first NaN counts as larger than any number.
template <class Input, class Accumulator, class Output>
struct Argmax : ArgExtreme<Input, Accumulator, Output, true> {};

}  // namespace redtune
