#pragma once

#include <cstdint>
#include <string>

#include "redtune/problem.h"
#include "tuner/core/measurement.h"

namespace redtune::timing {

/// What no measurement can beat. 0: unknown, not tested.
struct Ceilings {
    double memory_gb_per_s = 0;  ///< cold and stream: the memory's peak by its clock and width
    double l2_gb_per_s = 0;      ///< warm: measured with the cache reader, with a margin
};

/// Sets status `implausible`, with the reason, where the median beats what the hardware can do: bytes per time above
/// the ceiling of the regime, less than the empty kernels' floor, or zero. Leaves any status but ok as it is.
void judge_plausibility(Measurement& measurement, std::uint64_t input_bytes, Regime regime, const Ceilings& ceilings);

}  // namespace redtune::timing
