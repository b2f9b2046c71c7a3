#pragma once

#include <cstdint>
#include <vector>

#include "redtune/problem.h"
#include "tuner/core/configuration.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"

namespace redtune::db {

/// Returns every candidate of a family for a device, a problem, a size and a regime, in the order of the family's
/// parameters.
///
/// The parameter lists are crossed in an in-memory SQLite table; derived values and conditions are SQL expressions over
/// it. Expressions may use the parameters, the derived values before them, expression_names(), and in a family with a
/// parameter `finish` also finish_values(). A finish that the device or the problem does not support is left out, and
/// so are clusters and programmatic dependent launches on devices without them.
///
/// One of all configurations with the same kernel and the same grid at this size is kept: the one with
/// one block per tile, else the one with the fewest blocks per SM.
///
/// The result is empty where the device is below the family's compute capability, the problem's shape is not the
/// family's, or the family overwrites the input and the problem does not allow it.
/// @throws InputError "path:line: what is wrong" for an expression that SQLite refuses or a space that is too large.
std::vector<Candidate> candidates(const Family& family, const DeviceInfo& device, const Problem& problem,
                                  std::uint64_t n, Regime regime = Regime::cold);

}  // namespace redtune::db
