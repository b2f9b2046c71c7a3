#include "compare/sum_error.h"

#include <cmath>
#include <limits>

namespace redtune::compare {

double error_unit(const Problem& problem) {
    return std::exp2(problem.accumulator == Type::f64 ? -53 : -24);
}

double sum_error(const Problem& problem, const ExactTerms& terms, double result) {
    const double exact = terms.sum.value();
    const double expected = problem.output == Type::f32 ? static_cast<float>(exact) : exact;
    if (!std::isfinite(expected) || !std::isfinite(result)) {
        const bool is_same = std::isnan(expected) ? std::isnan(result) : expected == result;
        return is_same ? 0 : std::numeric_limits<double>::infinity();
    }
    ExactSum difference = terms.sum;
    difference.add(-result);
    const double distance = std::abs(difference.value());
    // Divides by the magnitudes first: the product with the unit may underflow.
    return distance == 0 ? 0 : distance / terms.magnitudes.value() / error_unit(problem);
}

}  // namespace redtune::compare
