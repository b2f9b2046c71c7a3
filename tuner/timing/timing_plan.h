#pragma once

#include <cstdint>

#include "redtune/problem.h"

namespace redtune::timing {

/// The input for which a time is measured.
struct Cell {
    std::uint64_t n = 0;  ///< elements
    Regime regime = Regime::cold;
    std::uint64_t offset = 0;  ///< elements from an aligned address to the first element

    friend bool operator==(const Cell&, const Cell&) = default;
};

/// The plan of one sample: `calls` calls in one graph, which read `inputs` inputs in rotation.
struct TimingPlan {
    std::uint32_t calls = 1;         ///< number of calls in the graph, K in docs/method.md
    std::uint32_t inputs = 1;        ///< call i reads input i modulo `inputs`
    std::uint64_t stride_bytes = 0;  ///< distance from one input to the next
};

/// The figures of a device that a timing plan depends on.
struct TimingLimits {
    std::uint64_t l2_bytes = 0;
    double peak_gb_per_s = 0;      ///< peak bandwidth of the memory; 0: unknown
    std::uint64_t pool_bytes = 0;  ///< memory that inputs may use; at least one input
};

/// Returns the plan for inputs of `input_bytes`. K is computed from the minimum time that reading the input takes, so
/// it is the same for all candidates of a size.
/// @param graph_us minimum time that the K calls take together
TimingPlan plan_timing(std::uint64_t input_bytes, Regime regime, double graph_us, const TimingLimits& limits);

}  // namespace redtune::timing
