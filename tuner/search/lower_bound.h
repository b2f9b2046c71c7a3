#pragma once

#include <cstdint>

#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/trial.h"
#include "tuner/search/prior.h"

namespace redtune::search {

/// Returns a lower bound on a trial's time in microseconds by Little's law: bytes / bytes in flight x latency. The
/// bytes in flight are those of all blocks that can be resident at once; the latency is the least latency of the
/// memory, or of the L2 cache in the warm regime. Returns 0 if the family does not state its bytes in flight.
double lower_bound_us(const Trial& trial, const DeviceInfo& device, const Problem& problem, std::uint64_t n,
                      Regime regime);

/// Returns whether the screening of a trial would certainly be stopped early (timing/early_stop.h), because the lower
/// bound on its time is far above the best median so far.
/// @param best_us 0: there is no median yet, and the result is false
bool is_hopeless(const Trial& trial, const DeviceInfo& device, const Problem& problem, const CellKey& cell,
                 double best_us);

}  // namespace redtune::search
