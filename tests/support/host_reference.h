#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "redtune/problem.h"

namespace redtune::test_support {

/// A result: of float outputs the value before it is rounded to the output type, of others the bits.
struct HostResult {
    long double real = 0;
    std::uint64_t bits = 0;
};

/// What an operator makes of n elements, one result for each row, computed element by element on the host and sharing
/// nothing with device code. Floats are exact to about 2^-60. `second` is for operators over pairs.
std::vector<HostResult> host_results(const Problem& problem, const void* first, const void* second, std::uint64_t n);

/// Judges a result's bits: integers must be equal; floats may be `tolerance`, relative, from the value, NaN must be
/// NaN.
/// @return empty if it is right, else what was expected and what came.
std::string judge(const Problem& problem, const HostResult& expected, std::uint64_t got, double tolerance = 1e-6);

/// An element, or result, as a number.
long double real_of(Type type, std::uint64_t bits);

}  // namespace redtune::test_support
