#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "redtune/problem.h"

namespace redtune::test_support {

/// An expected result.
struct HostResult {
    long double real = 0;    ///< the value before it is rounded to the output type, if that is a float
    std::uint64_t bits = 0;  ///< the bits of the result, if the output type is an integer
};

/// Reduces an array one element after another on the host and returns one result for each row or column. The function
/// shares no code with the kernels. Floats are computed in long double, with a relative error of about 2^-60.
/// @param second the second array of operators that read two arrays; else unused
std::vector<HostResult> host_results(const Problem& problem, const void* first, const void* second,
                                     const Extents& extents);
std::vector<HostResult> host_results(const Problem& problem, const void* first, const void* second, std::uint64_t n);

/// Compares the bits of a result with the expected result. Returns "" if the result is right, else a message with both
/// values. Integers must be equal and NaN must be NaN. Other floats may differ by the rounding to a 16-bit output type
/// plus `tolerance`, both relative to the expected value.
std::string judge(const Problem& problem, const HostResult& expected, std::uint64_t got, double tolerance = 1e-6);

/// Returns the value of an element or a result of this type with these bits.
long double real_of(Type type, std::uint64_t bits);

}  // namespace redtune::test_support
