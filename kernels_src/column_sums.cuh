// The accumulators of a thread whose vectors have the same columns.
#pragma once

#include "kernels_src/operators.cuh"
#include "kernels_src/vector.cuh"

namespace redtune {

/// Says whether Op is Min or Max of 16-bit floats, of which one instruction compares two (half_keys.cuh).
template <class Op>
struct HalfExtreme {
    static constexpr bool is_half = false;
};
template <class Input, class Output>
struct HalfExtreme<Min<Input, HalfKey, Output>> {
    static constexpr bool is_half = has_half_keys<Input>;
    static constexpr bool is_max = false;
};
template <class Input, class Output>
struct HalfExtreme<Max<Input, HalfKey, Output>> {
    static constexpr bool is_half = has_half_keys<Input>;
    static constexpr bool is_max = true;
};

/// An accumulator for each lane of a thread's vectors: lane i of all vectors has the same column.
template <class P, class V, bool is_packed = HalfExtreme<typename P::Operator>::is_half && (V::lanes >= 2)>
class ColumnSums {
    using Op = typename P::Operator;

  public:
    __device__ ColumnSums() {
#pragma unroll
        for (auto& sum : sums_) sum = Op::identity();
    }

    /// Folds the elements of a vector, which are paired with those of `y`. row: the row of each lane, by number.
    template <class Row>
    __device__ void fold(const V& x, const V& y, const Row& row) {
#pragma unroll
        for (int lane = 0; lane < V::lanes; ++lane) {
            auto second = typename P::Input();
            if constexpr (Op::form == Form::of_pairs) second = y.lane(lane);
            sums_[lane] = fold_element<Op>(sums_[lane], x.lane(lane), second, row(lane));
        }
    }

    __device__ typename P::Accumulator value(int lane) const { return sums_[lane]; }

  private:
    typename P::Accumulator sums_[V::lanes];
};

/// Keeps the minima or maxima of two columns in a word.
template <class P, class V>
class ColumnSums<P, V, true> {
    using Op = typename P::Operator;
    using Input = typename P::Input;
    static constexpr bool is_max = HalfExtreme<Op>::is_max;

  public:
    __device__ ColumnSums() {
        constexpr u32 worst = infinity_bits(Input()) | (is_max ? 0x8000u : 0);
#pragma unroll
        for (u32& extremes : extremes_) extremes = worst << 16 | worst;
    }

    template <class Row>
    __device__ void fold(const V& x, const V&, const Row&) {
#pragma unroll
        for (int i = 0; i < V::lanes / 2; ++i) extremes_[i] = extreme_x2<is_max>(Input(), extremes_[i], x.words[i]);
    }

    __device__ typename P::Accumulator value(int lane) const {
        return half_key_of_bits<is_max>(extremes_[lane / 2] >> (lane % 2 * 16) & 0xffffu);
    }

  private:
    u32 extremes_[V::lanes / 2];
};

}  // namespace redtune
