#pragma once

#include <optional>
#include <vector>

#include "redtune/match.h"
#include "tuner/core/device_info.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::compare {

/// Returns the candidate with the match's family and parameters, as `families` define it. The families may be those of
/// another version of the sources: a parameter that only the match has is ignored, and one that only the family has
/// takes the value of the family's first such candidate. Empty if there is no such family, or its conditions do not
/// allow the configuration.
std::optional<Trial> trial_of(const Match& match, const std::vector<Family>& families, const DeviceInfo& device,
                              const Problem& problem, Regime regime);

}  // namespace redtune::compare
