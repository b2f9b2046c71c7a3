// Smallest and largest values, and where they are.
#pragma once

#include "kernels_src/extremes.cuh"
#include "kernels_src/half_places.cuh"
#include "kernels_src/operator_form.cuh"

namespace redtune {

/// What Min and Max are made of.
template <bool is_max, class Input, class Accumulator, class Output>
struct Extreme : Elementwise {
    static constexpr WarpReduction warp_reduction = is_max ? WarpReduction::max : WarpReduction::min;
    static __device__ Accumulator identity() { return is_max ? lowest<Accumulator>() : highest<Accumulator>(); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return extreme<is_max>(a, b); }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }
};

/// Of 16-bit floats, whose keys are combined.
template <bool is_max, class Input, class Output>
struct ExtremeOfHalves : Elementwise {
    static constexpr WarpReduction warp_reduction = WarpReduction::min;
    /// Of infinity: the lower one of the largest, the upper one of the smallest.
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

/// The smallest element. A NaN anywhere gives NaN; of zeros of both signs, either. Nothing: the largest value there is,
/// infinity for floats.
template <class Input, class Accumulator, class Output>
struct Min : Extreme<false, Input, Accumulator, Output> {};

/// The largest element; otherwise as Min.
template <class Input, class Accumulator, class Output>
struct Max : Extreme<true, Input, Accumulator, Output> {};

constexpr u64 no_index = ~u64(0);

/// A value's rank and its place in the array or row. Keys order as values do, so that one comparison of integers does
/// for NaN and signed zeros too.
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

/// Both of argmin and argmax look for the lowest key, then the lowest index. The first NaN has the lowest of all.
template <class Input, class Accumulator, class Output, bool is_max>
struct ArgExtreme : WithIndex {
    static constexpr WarpReduction warp_reduction = WarpReduction::place;
    static constexpr bool has_fold = true;
    using Value = typename ValueOf<Accumulator>::type;
    using Key = typename Accumulator::Key;

    static __device__ Accumulator identity() { return {Key(~Key(0)), no_index}; }
    static __device__ Accumulator transform(Input x, u64 index) { return {key_of(x), index}; }
    static __device__ Accumulator combine(const Accumulator& a, const Accumulator& b) {
        return b.key < a.key || (b.key == a.key && b.index < a.index) ? b : a;
    }
    /// combine(a, transform(x, index)) for an index that lies behind a's.
    static __device__ Accumulator fold(const Accumulator& a, Input x, u64 index) {
        const Key key = key_of(x);
        const bool changes = is_lower(key, a);
        return {changes ? key : a.key, changes ? index : a.index};
    }
    static __device__ Output finish(const Accumulator& a, u64) { return Output(a.index); }

    /// First the lowest key of all; then, if that changes anything, where it is.
    template <class V>
    static constexpr bool has_vectors_fold = V::lanes > 1;
    template <class V, int count>
    static __device__ Accumulator fold_vectors(const Accumulator& a, const V (&vectors)[count], u64 index, u64 step) {
        const Key key = lowest_key(vectors);
        if (!is_lower(key, a)) return a;
        return {key, index + offset(first_with(key, vectors), V::lanes, step)};
    }
    template <class V, int count>
    static __device__ Accumulator reduce_vectors(const V (&vectors)[count], u64 index, u64 step) {
        const Key key = lowest_key(vectors);
        return {key, index + offset(first_with(key, vectors), V::lanes, step)};
    }

    template <class V, int count>
    static __device__ Key lowest_key(const V (&vectors)[count]) {
        if constexpr (has_half_keys<Input>) {
            return with_one_zero<is_max>(lowest_half_key<is_max, Input>(vectors));
        } else {
            Input extremes[count];
#pragma unroll
            for (int i = 0; i < count; ++i) extremes[i] = extreme_of<is_max>(vectors[i]);
#pragma unroll
            for (int i = 1; i < count; ++i) extremes[0] = extreme<is_max>(extremes[0], extremes[i]);
            return key_of(extremes[0]);
        }
    }
    /// Which of the elements of all vectors is the first that has the key; nowhere if none has. None has a lower one.
    template <class V, int count>
    static __device__ u32 first_with(Key key, const V (&vectors)[count]) {
        if constexpr (has_half_keys<Input>) {
            return HalfPlaces<Input, is_max, V, count>::first(vectors, key);
        } else {
            const Input value = Input(value_of_rank<Value>(is_max ? Key(~key) : key));
            u32 place = nowhere;
#pragma unroll
            for (int i = count * V::lanes - 1; i >= 0; --i) {
                const Input x = vectors[i / V::lanes].lane(i % V::lanes);
                if ((x == value) | is_nan(x)) place = u32(i);  // where there is a NaN, it has the key
            }
            return place;
        }
    }

    template <class T>
    static __device__ Key key_of(T x) {
        if constexpr (has_half_keys<T>) {
            return with_one_zero<is_max>(half_key<is_max>(x));
        } else {
            const Value value = Value(x);
            const Key key = rank_of(value);
            if constexpr (IsFloat<Value>::value) {
                if (is_nan(value)) return 0;
            }
            return is_max ? Key(~key) : key;
        }
    }

  private:
    /// Whether an element behind a's has a lower key, or is the first. A key that the identity has too, which only
    /// integers that fill their key have, needs the index looked at.
    static __device__ bool is_lower(Key key, const Accumulator& a) {
        constexpr bool fills_key = !IsFloat<Value>::value && sizeof(Input) == sizeof(Key);
        return key < a.key || (fills_key && a.index == no_index);
    }

    /// Of element `place` of some vectors that lie `step` elements apart, from the first.
    static __device__ u64 offset(u32 place, int lanes, u64 step) { return place / lanes * step + place % lanes; }
};

/// Where the smallest element is; of equals, the lowest index. The first NaN counts as smaller than any number.
/// Nothing: no_index.
template <class Input, class Accumulator, class Output>
struct Argmin : ArgExtreme<Input, Accumulator, Output, false> {};

/// Where the largest element is; otherwise as Argmin, and the first NaN counts as larger than any number.
template <class Input, class Accumulator, class Output>
struct Argmax : ArgExtreme<Input, Accumulator, Output, true> {};

}  // namespace redtune
