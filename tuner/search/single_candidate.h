#pragma once

#include <optional>

#include "db/store.h"
#include "redtune/problem.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// Returns the trial of one configuration of the family; nullopt if the configuration is no candidate for n. Unlike
/// db::candidates(), this function also returns a trial that has the same kernel and grid as another candidate at this
/// size.
std::optional<Trial> candidate_of(const Family& family, const DeviceInfo& device, const Problem& problem,
                                  const Configuration& configuration, std::uint64_t n, Regime regime);

/// Returns the range of sizes around n for which a configuration of the family is a candidate. The configuration must
/// be a candidate for n.
///
/// The range is exact if the conditions of the family hold for one contiguous range of sizes, as those of all shipped
/// families do.
db::SizeRange candidate_range(const Family& family, const DeviceInfo& device, const Problem& problem,
                              const Configuration& configuration, std::uint64_t n, Regime regime);

}  // namespace redtune::search
