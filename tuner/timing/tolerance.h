#pragma once

#include <cstdint>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"

namespace redtune::timing {

/// How far a right result may lie from the reference: absolute + relative * |reference|. Both 0: equal.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
};

/// For timed inputs: independent values, uniform in [-1, 1); near 1 for products.
///
/// Each operation rounds by at most u |partial result|, u = 2^-24 for f32, and rounding errors are independent to a
/// very good approximation (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019). Of a sum
/// of terms of both signs, a thread that adds m values one after another passes through partial sums of size sigma
/// sqrt(k), k = 1..m, so the n/m threads together have an error of deviation u sigma sqrt(n m / 6); the tree above adds
/// at most u sigma sqrt(n) a level. Of a sum of positive terms the partial sums grow with k, and the relative error has
/// a deviation of at most u sqrt(m) + u a level. Of a product every operation counts: u sqrt(n). Eight deviations are
/// allowed. An operator of the user's own is judged as a sum, eight times as widely.
Tolerance timed_tolerance(const Problem& problem, const LaunchPlan& plan);

/// For inputs of small whole numbers: none while every partial result is exact, else as for timed inputs of one sign.
Tolerance exact_tolerance(const Problem& problem, const LaunchPlan& plan);

}  // namespace redtune::timing
