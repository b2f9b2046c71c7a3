#pragma once

#include <cstdint>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// Returns a lower bound on a trial's time in microseconds, by Little's law: bytes / bytes in flight x latency. All
/// blocks that can be resident at once have their bytes in flight, and the latency is the least of the memory (warm:
/// of the L2 cache). 0 where the family does not state its bytes in flight.
double lower_bound_us(const Trial& trial, const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                      Regime regime);

}  // namespace redtune::search
