#pragma once

#include <cstdint>
#include <limits>

#include "redtune/launch_plan.h"
#include "redtune/problem.h"
#include "tuner/timing/data.h"

namespace redtune::timing {

/// A right result differs from the reference by at most
/// absolute + relative * |reference| + of_magnitudes * sum|t| + of_root_squares * sqrt(sum t^2), where the sums are
/// over the result's terms t (TermSums in kernels_src/reference.cuh). It has the layout of ErrorBound in
/// kernels_src/compare_results.cuh.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    double of_magnitudes = 0;
    double of_root_squares = 0;
    /// If sum|t| is larger than this, partial sums may overflow, and a result that is not finite is right.
    double overflow_from = std::numeric_limits<double>::infinity();

    bool uses_terms() const {
        return of_magnitudes != 0 || of_root_squares != 0 || overflow_from != std::numeric_limits<double>::infinity();
    }
};

/// Returns the tolerance for timed inputs, which are independent values, uniform in [-1, 1), or near 1 for products.
///
/// Each operation rounds by at most u |partial result|, u = 2^-24 for f32, and rounding errors are independent to a
/// very good approximation (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019). A thread
/// that adds m terms of both signs one after another has partial sums of size sigma sqrt(k), k = 1..m, so the errors of
/// all n/m threads add up to a standard deviation of u sigma sqrt(n m / 6); each level of the tree adds at most
/// u sigma sqrt(n). Partial sums of positive terms grow with k, and their relative error has a standard deviation of at
/// most u sqrt(m), plus u for each level. The tolerance is eight standard deviations. A user's own operator is judged
/// as a sum, with eight times that tolerance.
///
/// The rounding errors of a product of factors near 1 are not independent: floats below 1 have half the spacing of
/// those above, so every eighth or so of the partial products above 1 lies halfway between two floats but for a tiny
/// term that is negative, and is rounded down. So the bound of a product is that of the worst case, n u.
Tolerance uniform_data_tolerance(const Problem& problem, const LaunchPlan& plan);

/// Returns the tolerance for timed inputs with the given data; for uniform data, it is the one above.
///
/// The other bounds follow from the sums of the actual terms t, not from assumptions on n of them. The error of a sum
/// is the sum of the rounding errors of all additions. Each is at most u times a partial sum, and each element goes
/// through at most m additions in its thread and one in each of L levels of trees.
/// - Independent signs: a partial sum has the size of the square root of its terms' sum of squares. With independent
///   rounding errors (Higham and Mary, 2019, as above), the errors of m serial additions add up to a standard deviation
///   of at most u sqrt(m / 3) sqrt(sum t^2), wherever the large terms lie, and each level adds u sqrt(sum t^2).
/// - Arbitrary signs: a partial sum is at most the sum of its terms' magnitudes, so sqrt(sum t^2) becomes sum|t|.
/// - Structured data have dependent rounding errors: adding one constant again and again rounds the same way each time.
///   The bound is that of the worst case, (m + L) u sum|t| (Higham, Accuracy and Stability of Numerical Algorithms, 2nd
///   edition, 2002, section 4.2).
/// Sums of positive terms equal sum|t|, so their bound is relative to the result. The random bounds are eight standard
/// deviations. Products of two elements may underflow, and a result may
/// be subnormal: both add an absolute part. Infinite and NaN references allow no difference.
Tolerance data_tolerance(const Problem& problem, const LaunchPlan& plan, const Data& data);

/// Returns the tolerance for exact inputs (InputValues::exact). If every partial result is exact, it allows only for
/// the rounding of the result, and is 0 if the result is not rounded either. If not, it is uniform_data_tolerance()
/// with an absolute part that is 64 times as wide.
Tolerance exact_tolerance(const Problem& problem, const LaunchPlan& plan);

}  // namespace redtune::timing
