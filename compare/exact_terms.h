#pragma once

#include <cstdint>

#include "compare/exact_sum.h"
#include "redtune/problem.h"

namespace redtune::compare {

/// Exact sums over the terms of a sum or a dot product: the elements, or the products of two elements.
struct ExactTerms {
    ExactSum sum;
    ExactSum magnitudes;  ///< sum of |term|

    void add(const ExactTerms& other);
};

/// Returns the value of element `index` of an array of f16, bf16, f32 or f64, which is exact as a double.
double float_element(Type type, const void* array, std::uint64_t index);

/// Returns the sums over the terms of n elements in host memory, computed on all cores. The problem must be a sum of
/// f16, bf16, f32 or f64, or a dot product of f16, bf16 or f32, whose products are exact as doubles.
/// @param second the second array of a dot product; else unused
ExactTerms exact_terms(const Problem& problem, const void* first, const void* second, std::uint64_t n);

}  // namespace redtune::compare
