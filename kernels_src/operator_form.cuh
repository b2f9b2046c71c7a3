// What an operator's transform takes.
#pragma once

#include "kernels_src/problem.cuh"

namespace redtune {

/// elementwise: transform(x). with_index: transform(x, index), index 0 being the first of the array or row.
/// of_pairs: transform(x, y), of two arrays.
enum class Form { elementwise, with_index, of_pairs };

/// What the hardware can do to a warp's values in one instruction, for 32-bit integers.
enum class WarpReduction { none, add, min, max, bit_and, bit_or, bit_xor, place };

/// What operators have where they do not say otherwise.
struct Defaults {
    static constexpr bool is_addition = false;
    static constexpr bool has_fold = false;  ///< fold(a, x, index), which is combine(a, transform(x, index))
    /// fold_packed(a, vector), which combines the elements of a Vector (load.cuh) with a at once.
    template <class V>
    static constexpr bool has_packed_fold = false;
    /// fold_vectors(a, vectors, index, step): a combined at once with the elements of some Vectors; all lie behind a's
    /// and in order, `step` apart from the first one's element, which is element `index`. reduce_vectors(vectors,
    /// index, step): the same without an a. Of operators that an element changes nothing for when it comes again: what
    /// stands in for a Vector that does not exist is a copy of one that lies ahead of it and does.
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
