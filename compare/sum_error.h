#pragma once

#include "compare/exact_terms.h"

namespace redtune::compare {

/// Returns the unit in which sum_error() is given, relative to the sum of |term|: the largest relative error of
/// rounding to the problem's accumulator, 2^-24 for f32 and 2^-53 for f64.
double error_unit(const Problem& problem);

/// Returns |result - exact sum| / (error_unit() * sum of |term|); 0 if the result is exact. If the result, or the exact
/// sum in the problem's output type, is infinite or NaN, returns 0 if both are the same infinity or both NaN, else
/// infinity.
double sum_error(const Problem& problem, const ExactTerms& terms, double result);

}  // namespace redtune::compare
