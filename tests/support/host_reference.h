#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "redtune/problem.h"

namespace redtune::test_support {

/// A result. If the output type is a float, `real` is the value before it is rounded to that type; else `bits` are the
/// bits of the result.
struct HostResult {
    long double real = 0;
    std::uint64_t bits = 0;
};

/// Reduces n elements on the host, one after another, and returns one result for each row. Shares no code with the
/// device. Floats are exact to about 2^-60. `second` is the other array of operators over pairs.
std::vector<HostResult> host_results(const Problem& problem, const void* first, const void* second, std::uint64_t n);

/// Compares the bits of a result with what is expected. Integers must be equal, NaN must be NaN, and other floats may
/// differ by `tolerance` times the expected value.
/// @return empty if the result is right, else what was expected and what came
std::string judge(const Problem& problem, const HostResult& expected, std::uint64_t got, double tolerance = 1e-6);

/// Returns the value of an element or result with these bits.
long double real_of(Type type, std::uint64_t bits);

}  // namespace redtune::test_support
