#pragma once

#include <vector>

#include "tuner/search/cell_runner.h"

namespace redtune::search {

/// Returns a cell whose trials are those of the given configurations that are candidates for the size and that the
/// executor can measure, without those that have failed there.
Cell cell_of(const SweepContext& sweep, const std::vector<Family>& families, const CellKey& key,
             const std::vector<Configuration>& configurations);

/// Times the finalists of the other units on the unit of the sweep, in interleaved rounds, and stores its winner and
/// the winner over all units. Units that have no UUID cannot be told apart, so for them the other unit's winner counts.
/// @return whether the unit has a winner; false if the other units have no finalists in common, or all fail here
/// @throws DeviceError if the device is lost
bool confirm(const SweepContext& sweep, const std::vector<Family>& families, const CellKey& key);

}  // namespace redtune::search
