#pragma once

#include <cstdint>
#include <string>

#include "redtune/problem.h"
#include "tuner/core/measurement.h"

namespace redtune::timing {

/// Bandwidths that no correct measurement can exceed. A bandwidth of 0 is unknown and is not tested.
struct Ceilings {
    double memory_gb_per_s = 0;  ///< cold and back_to_back: the memory's peak by its clock and width
    double l2_gb_per_s = 0;      ///< warm: measured by reading the L2, plus a margin
};

/// Sets the status `implausible`, with the reason, if the median is zero, below the empty kernels' floor, or so short
/// that bytes per time exceed the ceiling of the regime. Changes only measurements whose status is ok.
void judge_plausibility(Measurement& measurement, std::uint64_t input_bytes, Regime regime, const Ceilings& ceilings);

}  // namespace redtune::timing
