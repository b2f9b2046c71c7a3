#pragma once

#include <optional>
#include <span>
#include <vector>

#include "redtune/parameter.h"
#include "tuner/core/trial.h"

namespace redtune::report {

/// The candidate whose parameters are nearest to those wanted, an earlier one in `wanted` before a later one.
/// Parameters that a candidate does not have count as met. Of equals, one that finishes with a second kernel, as the
/// published reductions do; then the first. Empty where there are no candidates.
std::optional<Candidate> nearest_candidate(std::span<const Candidate> candidates, const std::vector<Parameter>& wanted);

}  // namespace redtune::report
