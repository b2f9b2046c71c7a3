#pragma once

#include <cstdint>

#include "redtune/problem.h"

namespace redtune::timing {

/// How one sample is taken: `calls` calls in one graph, on inputs that rotate.
struct TimingPlan {
    std::uint32_t calls = 1;         ///< K
    std::uint32_t inputs = 1;        ///< call i reads input i modulo this
    std::uint64_t stride_bytes = 0;  ///< from one input to the next
};

/// What the plan depends on besides the problem.
struct TimingLimits {
    std::uint64_t l2_bytes = 0;
    double peak_gb_per_s = 0;      ///< 0: unknown
    std::uint64_t pool_bytes = 0;  ///< memory that inputs may use; at least one input
};

/// K is the same for all candidates of a size: it follows from the time the size must take at least.
TimingPlan plan_timing(std::uint64_t input_bytes, Regime regime, double graph_us, const TimingLimits& limits);

}  // namespace redtune::timing
