// The comparison of results with references.
#pragma once

#include "kernels_src/reference.cuh"

namespace redtune {

/// The wrong results that compare_results() found.
struct Mismatch {
    u64 wrong;  // number of wrong results
    u64 first;  // bitwise complement of the lowest index of a wrong result
};

/// The error bound of a result; it has the layout of Tolerance (tuner/timing/tolerance.h), which explains it.
struct ErrorBound {
    double absolute;
    double relative;
    double of_magnitudes;
    double of_root_squares;
    double overflow_from;
};

/// Returns whether a result is right: equal to the reference rounded to its type (NaN equals NaN), or within the bound.
/// @param terms the sums of the result's terms; both 0 if the bound does not use them
template <class Output, class Reference>
__device__ bool is_right(Output got, Reference expected, const ErrorBound& bound, const TermSums& terms) {
    if constexpr (IsFloat<Output>::value) {
        if (is_nan(expected)) return is_nan(got);
        if (got == Output(expected)) return true;
        if (expected - expected != Reference(0)) return false;  // no tolerance around an infinity
        // Partial sums of these terms may overflow in some orders and not in others.
        if (terms.magnitudes > bound.overflow_from && double(got) - double(got) != 0) return true;
        const double difference = double(got) - double(expected);
        const double magnitude = expected < Reference(0) ? -double(expected) : double(expected);
        const double allowed = bound.absolute + bound.relative * magnitude + bound.of_magnitudes * terms.magnitudes +
                               bound.of_root_squares * sqrt(terms.squares);
        return (difference < 0 ? -difference : difference) <= allowed;
    } else {
        return got == Output(expected);
    }
}

/// Compares `sets` sets of `count` results with `references` sets of expected results: set i with expected set i %
/// references. The sets of results are `stride` results apart. `terms` has the sums of each expected result's terms; null
/// if the bound does not use them. `mismatch` must be zero before.
template <class Output, class Reference>
__global__ void compare_results(const Output* got, u64 stride, u64 sets, const Reference* expected, u64 references,
                                u64 count, ErrorBound bound, const TermSums* terms, Mismatch* mismatch) {
    const u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 at = u64(blockIdx.x) * blockDim.x + threadIdx.x; at < sets * count; at += step) {
        const Output result = got[at / count * stride + at % count];
        const u64 reference = at / count % references * count + at % count;
        const TermSums sums = terms == nullptr ? TermSums{0, 0} : terms[reference];
        if (is_right(result, expected[reference], bound, sums)) continue;
        atomicAdd(&mismatch->wrong, u64(1));
        atomicMax(&mismatch->first, ~at);
    }
}

}  // namespace redtune
