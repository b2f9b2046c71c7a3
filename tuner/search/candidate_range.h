#pragma once

#include "db/store.h"
#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"

namespace redtune::search {

/// Returns the range of sizes around n for which a configuration of the family is a candidate. It must be one for n.
/// The range ends below the first size for which it is none, if the conditions hold in one range, as those of the
/// families do.
db::SizeRange candidate_range(const Family& family, const DeviceInfo& device, const Problem& problem,
                              const Configuration& configuration, std::uint64_t n, Regime regime);

}  // namespace redtune::search
