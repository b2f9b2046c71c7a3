#include "tuner/timing/tolerance.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Returns the smallest positive value of a floating-point type; 0 for integers.
double least_step(Type type) {
    switch (type) {
        case Type::f16:
            return std::exp2(-24);
        case Type::bf16:
            return std::exp2(-133);
        case Type::f32:
            return std::exp2(-149);
        case Type::f64:
            return std::numeric_limits<double>::denorm_min();
        default:
            return 0;
    }
}

/// The number of operations between an element and the result, over all launches.
struct Depth {
    double serial = 0;               // sum over the launches of the values that a thread combines one after another
    double serial_square_roots = 0;  // sum over the launches of sqrt(values that a thread combines one after another)
    double levels = 1;               // levels of the trees that combine the threads' values, over the launches

    void add_serial(double values) {
        serial += values;
        serial_square_roots += std::sqrt(values);
    }
};

/// Returns whether blocks combine their partials by atomic operations on one word of memory, one block after another.
/// They do if a single launch computes one result with several blocks, but has neither slots nor clusters.
bool combines_by_atomics(const LaunchPlan& plan) {
    const Launch& launch = plan.launches().front();
    return plan.count == 1 && plan.slot_bytes == 0 && launch.cluster == 1 && launch.grid > 1 &&
           launch.row_length == launch.n;
}

Depth rounding_depth_of(const LaunchPlan& plan) {
    Depth depth;
    for (const Launch& launch : plan.launches()) {
        // The threads of a launch with many results are divided among the results.
        const double results =
            std::max(1.0, static_cast<double>(launch.n) / std::max(1.0, static_cast<double>(launch.row_length)));
        const double threads = std::max(1.0, static_cast<double>(launch.grid) * launch.block / results);
        depth.add_serial(std::ceil(static_cast<double>(launch.row_length) / threads));
        depth.levels += std::log2(static_cast<double>(launch.block));
        if (plan.count > 1) continue;
        const double blocks = std::max(1.0, static_cast<double>(launch.grid) / results);
        if (combines_by_atomics(plan)) {
            depth.add_serial(blocks);
        } else {
            // One block combines the partials of all blocks: serially in each thread, then in a tree.
            depth.add_serial(std::ceil(blocks / launch.block));
            depth.levels += std::log2(static_cast<double>(launch.block));
        }
    }
    return depth;
}

/// Returns the rounding error of one operation, relative to its result. It includes the error of the reference if that
/// is computed in the same type.
double operation_error(const Problem& problem) {
    double u = unit_roundoff(problem.accumulator);
    if (problem.accumulator == Type::f64) u *= reference_share;
    if (find_operator(problem.op) == nullptr) u *= own_operator_share;
    return u;
}

/// Returns the bound on the rounding error of a sum whose terms do not have independent signs, divided by the sum of
/// the terms' magnitudes. The worst case holds for all data; the factor 1 + 1 / 16 covers the errors of second order.
double bound_per_magnitude_sum(const Depth& depth, double u, TermSigns signs) {
    const double worst = (1 + 1.0 / 16) * u * (depth.serial + depth.levels + 1);
    if (signs == TermSigns::structured) return worst;
    return std::min(worst, deviations * u * (depth.serial_square_roots + depth.levels));
}

/// Returns the bound on the relative error of a product of n factors. The factor 1 + 1 / 16 is as above.
double product_bound(double n, double u) {
    return (1 + 1.0 / 16) * u * n;
}

/// Returns the bound on the error by underflow: products of two elements may vanish in the accumulator's type, and the
/// result may be subnormal. Atomic additions of f32 in global memory take subnormal numbers as zero and return zero for
/// them (PTX ISA, `atom` and `red`).
double underflow_error(const Problem& problem, const LaunchPlan& plan, const Operator* op, double n) {
    double lost = n * least_step(problem.accumulator);
    if (problem.accumulator == Type::f32 && combines_by_atomics(plan)) {
        lost += 2.0 * plan.launches().front().grid * std::numeric_limits<float>::min();
    }
    const bool takes_root = op != nullptr && op->takes_square_root;
    return least_step(problem.output) + (takes_root ? std::sqrt(lost) : lost);
}

}  // namespace

Tolerance uniform_data_tolerance(const Problem& problem, const LaunchPlan& plan) {
    const Rounding rounding = rounding_of(problem);
    if (rounding == Rounding::none || plan.elements_per_result == 0) return {};
    const auto n = static_cast<double>(plan.elements_per_result);
    const Depth depth = rounding_depth_of(plan);
    const double sigma = 1 / std::sqrt(3.0);  // standard deviation of a term
    const double u = deviations * operation_error(problem);
    const Operator* op = find_operator(problem.op);

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
            tolerance.relative += product_bound(n, operation_error(problem));
            break;
    }
    return tolerance;
}

Tolerance data_tolerance(const Problem& problem, const LaunchPlan& plan, const Data& data) {
    Tolerance tolerance = uniform_data_tolerance(problem, plan);
    const Rounding rounding = rounding_of(problem);
    if (data.is_uniform() || rounding == Rounding::none || plan.elements_per_result == 0) return tolerance;
    const auto n = static_cast<double>(plan.elements_per_result);
    const Operator* op = find_operator(problem.op);
    const Depth depth = rounding_depth_of(plan);
    const double u = operation_error(problem);
    // It is not known whether the terms of a user's own operator have the signs of the elements.
    const TermSigns signs = op == nullptr ? TermSigns::structured : signs_of(data);

    tolerance.absolute = underflow_error(problem, plan, op, n);
    if (rounding == Rounding::product) {
        tolerance.relative = 2 * unit_roundoff(problem.output) + product_bound(n, u);
        return tolerance;
    }
    if (problem.accumulator == Type::f32) tolerance.overflow_from = std::numeric_limits<float>::max();
    const double divisor = op != nullptr && op->divides_by_count ? n : 1;
    if (rounding == Rounding::positive_terms) {
        tolerance.relative = 2 * unit_roundoff(problem.output) + bound_per_magnitude_sum(depth, u, signs);
    } else if (signs == TermSigns::independent) {
        tolerance.of_root_squares =
            deviations * u * (depth.serial_square_roots / std::sqrt(3.0) + depth.levels) / divisor;
    } else {
        tolerance.of_magnitudes = bound_per_magnitude_sum(depth, u, signs) / divisor;
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
    // sums stay below 8 standard deviations, 512 sqrt(n). The terms of unsigned integers that are added as f64 are at
    // most 256, so that their sums are exact for all arrays of up to 2^45 elements.
    const bool is_exact = rounding == Rounding::none || rounding == Rounding::product ||
                          (rounding == Rounding::positive_terms && n < exact_up_to) ||
                          (rounding == Rounding::signed_terms && 512 * std::sqrt(n) < exact_up_to);
    if (!is_exact || (is_own_operator && n > 4096)) {
        Tolerance tolerance = uniform_data_tolerance(problem, plan);
        tolerance.absolute *= 64;
        return tolerance;
    }
    return {0, rounds_result && rounding != Rounding::none ? 2 * unit_roundoff(problem.output) : 0};
}

}  // namespace redtune::timing
