#pragma once

#include <optional>
#include <span>
#include <vector>

#include "redtune/parameter.h"
#include "tuner/core/configuration.h"

namespace redtune::report {

/// Returns the candidate whose parameters are nearest to the wanted ones; earlier parameters of `wanted` count first. A
/// parameter that a candidate does not have counts as met. Among equals it prefers a candidate that finishes with a
/// second kernel, as the published reductions do, then the first. Empty where there are no candidates.
std::optional<Candidate> nearest_candidate(std::span<const Candidate> candidates, const std::vector<Parameter>& wanted);

}  // namespace redtune::report
