#include "tuner/bench/tolerance.h"

#include <cmath>

namespace redtune::bench {

double sum_tolerance(Type accumulator, std::uint64_t n, const LaunchPlan& plan) {
    if (accumulator != Type::f32 || n == 0) return 0;
    const double unit_roundoff = std::exp2(-24);
    const double sigma = 1 / std::sqrt(3.0);
    double serial = 0;  // deviation of the serial parts over all launches, in units of u sigma sqrt(n)
    double levels = 1;  // of the trees
    for (const Launch& launch : plan.launches()) {
        const double threads = static_cast<double>(launch.grid) * launch.block;
        const double values_per_thread = std::ceil(static_cast<double>(launch.n) / threads);
        serial += std::sqrt(values_per_thread / 6);
        levels += std::log2(static_cast<double>(launch.block));
        // The finish of a one-launch plan folds the other blocks' partials in the same way.
        if (plan.count == 1) {
            serial += std::sqrt(std::ceil(static_cast<double>(launch.grid) / launch.block) / 6);
            levels += std::log2(static_cast<double>(launch.block));
        }
    }
    return 8 * unit_roundoff * sigma * std::sqrt(static_cast<double>(n)) * (serial + levels);
}

}  // namespace redtune::bench
