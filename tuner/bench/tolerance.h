#pragma once

#include <cstdint>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"

namespace redtune::bench {

/// How far a right result may lie from the exact sum of n independent values, uniform in [-1, 1), that one plan adds
/// up; 0 for integers.
///
/// Each addition rounds by at most u |partial sum|, u = 2^-24 for f32, and rounding errors are independent to a very
/// good approximation (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019). A thread that
/// adds m values one after another passes through partial sums of size sigma sqrt(k), k = 1..m, so the n/m threads
/// together have an error of deviation u sigma sqrt(n m / 6); the tree above adds at most u sigma sqrt(n) a level.
/// Eight deviations are allowed.
double sum_tolerance(Type accumulator, std::uint64_t n, const LaunchPlan& plan);

}  // namespace redtune::bench
