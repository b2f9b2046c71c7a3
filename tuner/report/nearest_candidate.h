#pragma once

#include <optional>
#include <span>
#include <vector>

#include "redtune/parameter.h"
#include "tuner/core/trial.h"

namespace redtune::report {

/// Returns the candidate whose parameters are nearest to the wanted ones; earlier parameters of `wanted` take
/// precedence. A parameter that a candidate does not have counts as equal. Of equally near candidates, one that
/// finishes with a second kernel is preferred, as in the published reductions, then the first. Empty if there are no
/// candidates.
std::optional<Candidate> nearest_candidate(std::span<const Candidate> candidates, const std::vector<Parameter>& wanted);

}  // namespace redtune::report
