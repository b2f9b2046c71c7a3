#pragma once

#include <cstdint>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// Returns a lower bound on a trial's time in microseconds by Little's law: bytes / bytes in flight x latency. The
/// bytes in flight are those of all blocks that can be resident at once; the latency is the least latency of the
/// memory, or of the L2 cache in the warm regime. Returns 0 if the family does not state its bytes in flight.
double lower_bound_us(const Trial& trial, const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                      Regime regime);

}  // namespace redtune::search
