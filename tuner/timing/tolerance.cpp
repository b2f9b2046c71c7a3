#include "tuner/timing/tolerance.h"

#include <algorithm>
#include <cmath>

#include "tuner/core/operator.h"

namespace redtune::timing {

namespace {

// Width of the tolerance in standard deviations.
constexpr double deviations = 8;
// The reference is computed in f64 too, so it has the same rounding errors as a result that is accumulated in f64.
constexpr double reference_share = 2;
// A user's own operator is judged as a sum, with a tolerance wider by this factor.
constexpr double own_operator_share = 8;

/// Returns the largest relative error of rounding to the type; 0 for integers.
double unit_roundoff(Type type) {
    switch (type) {
        case Type::f16:
            return std::exp2(-11);
        case Type::bf16:
            return std::exp2(-8);
        case Type::f32:
            return std::exp2(-24);
        case Type::f64:
            return std::exp2(-53);
        default:
            return 0;
    }
}

/// The number of operations between an element and the result, over all launches.
struct Depth {
    double serial_square_roots = 0;  // sum over the launches of sqrt(values that a thread combines one after another)
    double levels = 1;               // levels of the trees that combine the threads' values, over the launches
};

Depth rounding_depth_of(const LaunchPlan& plan) {
    Depth depth;
    for (const Launch& launch : plan.launches()) {
        // The threads of a launch with many results are divided among the results.
        const double results =
            std::max(1.0, static_cast<double>(launch.n) / std::max(1.0, static_cast<double>(launch.row_length)));
        const double threads = std::max(1.0, static_cast<double>(launch.grid) * launch.block / results);
        depth.serial_square_roots += std::sqrt(std::ceil(static_cast<double>(launch.row_length) / threads));
        depth.levels += std::log2(static_cast<double>(launch.block));
        // In a plan of one launch, a block also combines the partials of all blocks: serially in each thread, then in
        // a tree.
        if (plan.count == 1) {
            const double blocks = std::max(1.0, static_cast<double>(launch.grid) / results);
            depth.serial_square_roots += std::sqrt(std::ceil(blocks / launch.block));
            depth.levels += std::log2(static_cast<double>(launch.block));
        }
    }
    return depth;
}

}  // namespace

Tolerance timed_tolerance(const Problem& problem, const LaunchPlan& plan) {
    const Rounding rounding = rounding_of(problem);
    if (rounding == Rounding::none || plan.elements_per_result == 0) return {};
    const auto n = static_cast<double>(plan.elements_per_result);
    const Depth depth = rounding_depth_of(plan);
    const double sigma = 1 / std::sqrt(3.0);  // standard deviation of a term
    double u = deviations * unit_roundoff(problem.accumulator);
    if (problem.accumulator == Type::f64) u *= reference_share;
    const Operator* op = find_operator(problem.op);
    if (op == nullptr) u *= own_operator_share;

    Tolerance tolerance;
    tolerance.relative = 2 * unit_roundoff(problem.output);  // the result is rounded once more
    switch (rounding) {
        case Rounding::none:
            break;
        case Rounding::signed_terms:
            tolerance.absolute = u * sigma * std::sqrt(n) * (depth.serial_square_roots / std::sqrt(6.0) + depth.levels);
            if (op != nullptr && op->divides_by_count) tolerance.absolute /= n;
            break;
        case Rounding::positive_terms:
            tolerance.relative += u * (depth.serial_square_roots + depth.levels);
            break;
        case Rounding::product:
            tolerance.relative += u * std::sqrt(n);
            break;
    }
    return tolerance;
}

Tolerance exact_tolerance(const Problem& problem, const LaunchPlan& plan) {
    const auto n = static_cast<double>(plan.elements_per_result);
    const Rounding rounding = rounding_of(problem);
    const Operator* op = find_operator(problem.op);
    const bool is_own_operator = op == nullptr;
    const double exact_up_to = 1 / unit_roundoff(problem.accumulator);
    const bool rounds_result =
        problem.output != problem.accumulator || (op != nullptr && (op->divides_by_count || op->takes_square_root));
    // Terms of one sign are at most 1. Terms of both signs have a standard deviation of at most 64, so their partial
    // sums stay below 8 standard deviations, 512 sqrt(n).
    const bool is_exact = rounding == Rounding::none || rounding == Rounding::product ||
                          (rounding == Rounding::positive_terms && n < exact_up_to) ||
                          (rounding == Rounding::signed_terms && 512 * std::sqrt(n) < exact_up_to);
    if (!is_exact || (is_own_operator && n > 4096)) {
        Tolerance tolerance = timed_tolerance(problem, plan);
        tolerance.absolute *= 64;
        return tolerance;
    }
    return {0, rounds_result && rounding != Rounding::none ? 2 * unit_roundoff(problem.output) : 0};
}

}  // namespace redtune::timing
