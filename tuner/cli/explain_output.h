#pragma once

#include <vector>

#include "tuner/cli/explain_match.h"
#include "tuner/cli/table.h"
#include "tuner/core/family.h"

namespace redtune::cli {

/// Prints explanations on stdout: as a JSON array, as CSV with a row for each parameter, or for each match as one table
/// of facts and one of the winner's parameters.
void print_explanations(const std::vector<ExplainedMatch>& matches, const std::vector<Family>& families, Format format);

}  // namespace redtune::cli
