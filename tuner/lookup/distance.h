#pragma once

#include <optional>

#include "redtune/device.h"
#include "redtune/match.h"
#include "redtune/problem.h"

namespace redtune::lookup {

/// Returns how much a tuned problem and regime differ from those that are asked for: 0 if they are the same, apart from
/// row length, determinism and `destructive`. Empty if the configurations of one are none for the other: another size
/// of the elements or accumulators, another number of arrays, rows and whole arrays, a value and a pair of value and
/// index, or a kernel that overwrites an input which must be kept.
std::optional<int> problem_distance(const Problem& tuned, Regime tuned_regime, const Problem& problem, Regime regime);

/// Returns the rung on which results of the tuned device serve the device: MatchKind::exact if it is the same chip with
/// the same memory, give or take what drivers reserve; else a rung from same_silicon_other_memory to other_device.
MatchKind device_relation(const DeviceInfo& tuned, const DeviceInfo& device);

/// Returns how much two devices differ: the sum of the logarithms of the ratios of SMs, L2 cache and bandwidth. A
/// number that either device does not give is left out.
double device_distance(const DeviceInfo& tuned, const DeviceInfo& device);

}  // namespace redtune::lookup
