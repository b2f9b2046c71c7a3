#pragma once

#include <cstdint>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"

namespace redtune::timing {

/// A right result differs from the reference by at most absolute + relative * |reference|.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
};

/// Returns the tolerance for timed inputs, which are independent values, uniform in [-1, 1), or near 1 for products.
///
/// Each operation rounds by at most u |partial result|, u = 2^-24 for f32, and rounding errors are independent to a
/// very good approximation (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019). A thread
/// that adds m terms of both signs one after another has partial sums of size sigma sqrt(k), k = 1..m, so the errors of
/// all n/m threads add up to a standard deviation of u sigma sqrt(n m / 6); each level of the tree adds at most
/// u sigma sqrt(n). Partial sums of positive terms grow with k, and their relative error has a standard deviation of at
/// most u sqrt(m), plus u for each level. In a product every operation counts: u sqrt(n). The tolerance is eight
/// standard deviations. A user's own operator is judged as a sum, with eight times that tolerance.
Tolerance timed_tolerance(const Problem& problem, const LaunchPlan& plan);

/// Returns the tolerance for exact inputs (InputValues::exact). If every partial result is exact, it allows only for
/// the rounding of the result, and is 0 if the result is not rounded either. If not, it is timed_tolerance() with an
/// absolute part that is 64 times as wide.
Tolerance exact_tolerance(const Problem& problem, const LaunchPlan& plan);

}  // namespace redtune::timing
