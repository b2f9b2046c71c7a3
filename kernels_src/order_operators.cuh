// Smallest and largest values, and where they are.
#pragma once

#include "kernels_src/extremes.cuh"
#include "kernels_src/operator_form.cuh"

namespace redtune {

/// The smallest element. A NaN anywhere gives NaN; of zeros of both signs, either. Nothing: the largest value there is,
/// infinity for floats.
template <class Input, class Accumulator, class Output>
struct Min : Elementwise {
    static constexpr WarpReduction warp_reduction = WarpReduction::min;
    static __device__ Accumulator identity() { return highest<Accumulator>(); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return extreme<false>(a, b); }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }

    template <class V>
    static constexpr bool has_packed_fold = has_packed_extreme<Input>;
    template <class V>
    static __device__ Accumulator fold_packed(Accumulator before, const V& x) {
        return combine(before, Accumulator(extreme_of<false, Input>(x)));
    }
};

/// The largest element; otherwise as Min.
template <class Input, class Accumulator, class Output>
struct Max : Elementwise {
    static constexpr WarpReduction warp_reduction = WarpReduction::max;
    static __device__ Accumulator identity() { return lowest<Accumulator>(); }
    static __device__ Accumulator transform(Input x) { return Accumulator(x); }
    static __device__ Accumulator combine(Accumulator a, Accumulator b) { return extreme<true>(a, b); }
    static __device__ Output finish(Accumulator a, u64) { return Output(a); }

    template <class V>
    static constexpr bool has_packed_fold = has_packed_extreme<Input>;
    template <class V>
    static __device__ Accumulator fold_packed(Accumulator before, const V& x) {
        return combine(before, Accumulator(extreme_of<true, Input>(x)));
    }
};

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
    /// combine(a, transform(x, index)) for an index that lies behind a's. A key that the identity has too, which only
    /// integers that fill their key have, needs the indices compared.
    static __device__ Accumulator fold(const Accumulator& a, Input x, u64 index) {
        if constexpr (!IsFloat<Value>::value && sizeof(Input) == sizeof(Key)) {
            return combine(a, transform(x, index));
        } else {
            const Key key = key_of(x);
            return {key < a.key ? key : a.key, key < a.key ? index : a.index};
        }
    }
    static __device__ Output finish(const Accumulator& a, u64) { return Output(a.index); }

    /// First which vector has the lowest key, by its extreme; then, if that changes anything, which of its elements.
    template <class V>
    static constexpr bool has_vectors_fold = V::lanes > 1;
    template <class V, int count, class Exists>
    static __device__ Accumulator fold_vectors(const Accumulator& a, const V (&vectors)[count], Exists exists,
                                               u64 index, u64 step) {
        if (!exists(0)) return a;
        const Lowest<V> lowest = lowest_of(vectors, exists);
        bool changes = lowest.key < a.key;
        // A key that the identity has too, which only integers that fill their key have, is the first of its kind.
        if constexpr (!IsFloat<Value>::value && sizeof(Input) == sizeof(Key)) {
            changes = changes || a.index == no_index;
        }
        if (!changes) return a;
        return {lowest.key, index + lowest.place * step + lowest.lane()};
    }
    template <class V, int count, class Exists>
    static __device__ Accumulator reduce_vectors(const V (&vectors)[count], Exists exists, u64 index, u64 step) {
        if (!exists(0)) return identity();
        const Lowest<V> lowest = lowest_of(vectors, exists);
        return {lowest.key, index + lowest.place * step + lowest.lane()};
    }

  private:
    /// The vector with the lowest key, the first of several.
    template <class V>
    struct Lowest {
        using Extreme = decltype(extreme_of<is_max, Input>(V()));
        V vector;
        Extreme extreme;
        Key key;
        u32 place;

        /// Where in the vector it is first.
        __device__ u32 lane() const {
            u32 lane = V::lanes - 1;
#pragma unroll
            for (int i = V::lanes - 2; i >= 0; --i) {
                const auto x = Extreme(vector.lane(i));
                if (is_nan(extreme) ? is_nan(x) : x == extreme) lane = i;
            }
            return lane;
        }
    };

    /// Of those that exist; the first one does.
    template <class V, int count, class Exists>
    static __device__ Lowest<V> lowest_of(const V (&vectors)[count], Exists exists) {
        const auto extreme = extreme_of<is_max, Input>(vectors[0]);
        Lowest<V> lowest{vectors[0], extreme, key_of(extreme), 0};
#pragma unroll
        for (int i = 1; i < count; ++i) {
            const auto other = extreme_of<is_max, Input>(vectors[i]);
            const Key key = key_of(other);
            if (exists(i) && key < lowest.key) lowest = {vectors[i], other, key, u32(i)};
        }
        return lowest;
    }

    template <class T>
    static __device__ Key key_of(T x) {
        const Value value = Value(x);
        const Key key = rank_of(value);
        if constexpr (IsFloat<Value>::value) {
            if (is_nan(value)) return 0;
        }
        return is_max ? Key(~key) : key;
    }
};

/// Where the smallest element is; of equals, the lowest index. The first NaN counts as smaller than any number.
/// Nothing: no_index.
template <class Input, class Accumulator, class Output>
struct Argmin : ArgExtreme<Input, Accumulator, Output, false> {};

/// Where the largest element is; otherwise as Argmin, and the first NaN counts as larger than any number.
template <class Input, class Accumulator, class Output>
struct Argmax : ArgExtreme<Input, Accumulator, Output, true> {};

}  // namespace redtune
