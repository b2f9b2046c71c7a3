#include "tuner/timing/timing_plan.h"

#include <algorithm>
#include <cmath>

#include "tuner/timing/constants.h"

namespace redtune::timing {

namespace {

// No reduction was seen to take less per call; only K depends on it, no result.
constexpr double least_call_us = 1.2;
// For a device that does not tell its memory clock.
constexpr double assumed_gb_per_s = 1000;
// Every type's alignment and every vector load's.
constexpr std::uint64_t alignment = 256;

std::uint64_t round_up(std::uint64_t value) {
    return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

TimingPlan plan_timing(std::uint64_t input_bytes, Regime regime, double graph_us, const TimingLimits& limits) {
    const double gb_per_s = limits.peak_gb_per_s > 0 ? limits.peak_gb_per_s : assumed_gb_per_s;
    const double call_us = least_call_us + static_cast<double>(input_bytes) / (gb_per_s * 1e3);
    TimingPlan plan;
    plan.calls = static_cast<std::uint32_t>(std::clamp(
        std::ceil(graph_us / call_us), call_us < short_call_us ? double{min_calls} : 1.0, double{max_calls}));
    plan.stride_bytes = round_up(std::max<std::uint64_t>(input_bytes, 1));
    if (regime == Regime::warm) return plan;

    const auto span = static_cast<std::uint64_t>(cold_span_of_l2 * static_cast<double>(limits.l2_bytes));
    const std::uint64_t spread = std::min(span, limits.pool_bytes) / plan.calls / alignment * alignment;
    plan.stride_bytes = std::max(plan.stride_bytes, spread);
    plan.inputs =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(limits.pool_bytes / plan.stride_bytes, 1, plan.calls));
    return plan;
}

}  // namespace redtune::timing
