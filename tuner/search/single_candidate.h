#pragma once

#include <optional>

#include "db/store.h"
#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// Returns the trial of one configuration of the family; nullopt if it is no candidate for n. db::candidates() leaves
/// out a candidate that has the same kernel and grid as another at this size; this function does not.
std::optional<Trial> candidate_of(const Family& family, const DeviceInfo& device, const Problem& problem,
                                  const Configuration& configuration, std::uint64_t n, Regime regime);

/// Returns the range of sizes around n for which a configuration of the family is a candidate. It must be one for n.
/// The range ends below the first size for which it is none, if the conditions hold in one range, as those of the
/// families do.
db::SizeRange candidate_range(const Family& family, const DeviceInfo& device, const Problem& problem,
                              const Configuration& configuration, std::uint64_t n, Regime regime);

}  // namespace redtune::search
