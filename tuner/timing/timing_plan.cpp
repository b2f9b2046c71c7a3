#include "tuner/timing/timing_plan.h"

#include <algorithm>
#include <cmath>

#include "tuner/timing/constants.h"
#include "tuner/timing/round_up.h"

namespace redtune::timing {

TimingPlan plan_timing(std::uint64_t input_bytes, Regime regime, double graph_us, const TimingLimits& limits) {
    const double gb_per_s = limits.peak_gb_per_s > 0 ? limits.peak_gb_per_s : assumed_gb_per_s;
    const double call_us = least_call_us + static_cast<double>(input_bytes) / (gb_per_s * 1e3);
    TimingPlan plan;
    plan.calls = static_cast<std::uint32_t>(std::clamp(
        std::ceil(graph_us / call_us), call_us < short_call_us ? double{min_calls} : 1.0, double{max_calls}));
    plan.stride_bytes = round_up(std::max<std::uint64_t>(input_bytes, 1), input_alignment);
    if (regime == Regime::warm) return plan;

    // Small inputs are spread over cold_span_of_l2 times L2; large ones follow one another without a gap.
    const auto span = static_cast<std::uint64_t>(cold_span_of_l2 * static_cast<double>(limits.l2_bytes));
    const std::uint64_t spread = std::min(span, limits.pool_bytes) / plan.calls / input_alignment * input_alignment;
    plan.stride_bytes = std::max(plan.stride_bytes, spread);
    plan.inputs =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(limits.pool_bytes / plan.stride_bytes, 1, plan.calls));
    return plan;
}

}  // namespace redtune::timing
