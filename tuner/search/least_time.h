#pragma once

#include <cstdint>

#include "redtune/problem.h"
#include "tuner/core/configuration.h"
#include "tuner/core/device_info.h"

namespace redtune::search {

/// No less than this takes a candidate of few bytes in flight, by Little's law: all blocks that can be resident at once
/// ask for all that they may, and the memory (warm: L2) answers as soon as it ever does. In microseconds; 0 where the
/// family does not state its bytes in flight.
double least_time_us(const Candidate& candidate, const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                     Regime regime);

}  // namespace redtune::search
