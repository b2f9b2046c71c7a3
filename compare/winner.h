#pragma once

#include <optional>
#include <vector>

#include "redtune/match.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::compare {

/// Returns the candidate that a match stands for, as `families` define it today. Parameters that only the match or only
/// the family has are ignored, so families of another version of the sources can be asked too. Empty if there is no
/// such family, or its conditions do not allow the configuration.
std::optional<Trial> trial_of(const Match& match, const std::vector<Family>& families, const DeviceInfo& device,
                              const Problem& problem, Regime regime);

}  // namespace redtune::compare
