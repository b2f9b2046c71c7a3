// Optional members of operators, with their defaults.
#pragma once

#include "kernels_src/problem.cuh"

namespace redtune {

/// The arguments of an operator's transform. elementwise: transform(x). with_index: transform(x, index), where the
/// first element of the array or row has index 0. of_pairs: transform(x, y), where x and y come from two arrays.
enum class Form { elementwise, with_index, of_pairs };

/// The warp-wide reduction (redux.sync) that combines an operator's 32-bit accumulators. arg_min: the lowest key and,
/// among equal keys, the lowest index of Indexed accumulators.
enum class WarpReduction { none, add, min, max, bit_and, bit_or, bit_xor, arg_min };

/// The default values of an operator's optional members.
struct Defaults {
    static constexpr bool is_addition = false;  ///< combine() is addition
    static constexpr bool has_fold = false;     ///< fold(a, x, index) exists and equals combine(a, transform(x, index))
    /// True if fold_packed(a, vector) exists, which combines `a` with all elements of a Vector (vector.cuh) at once.
    template <class V>
    static constexpr bool has_packed_fold = false;
    /// True if fold_vectors() and reduce_vectors() exist. fold_vectors(a, vectors, index, stride) combines `a` with all
    /// elements of several Vectors, which come after the elements in `a`. The Vectors are `stride` elements apart; the
    /// first element has index `index`. reduce_vectors(vectors, index, stride) does the same without an `a`. Only
    /// idempotent operators may have them: in place of a missing Vector there is a copy of an earlier one, so elements
    /// may be combined twice.
    template <class V>
    static constexpr bool has_vectors_fold = false;
    static constexpr WarpReduction warp_reduction = WarpReduction::none;
};

struct Elementwise : Defaults {
    static constexpr Form form = Form::elementwise;
};

struct WithIndex : Defaults {
    static constexpr Form form = Form::with_index;
};

struct OfPairs : Defaults {
    static constexpr Form form = Form::of_pairs;
};

}  // namespace redtune
