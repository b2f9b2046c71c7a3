// What an operator's transform takes.
#pragma once

#include "kernels_src/problem.cuh"

namespace redtune {

/// elementwise: transform(x). with_index: transform(x, index), index 0 being the first of the array or row.
/// of_pairs: transform(x, y), of two arrays.
enum class Form { elementwise, with_index, of_pairs };

struct Elementwise {
    static constexpr Form form = Form::elementwise;
    static constexpr bool is_addition = false;
};

struct WithIndex {
    static constexpr Form form = Form::with_index;
    static constexpr bool is_addition = false;
};

struct OfPairs {
    static constexpr Form form = Form::of_pairs;
    static constexpr bool is_addition = false;
};

}  // namespace redtune
