#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "tuner/cli/explain_match.h"

namespace redtune::cli {

/// Returns explanations as a JSON array. What is not known is null.
nlohmann::ordered_json explanations_to_json(const std::vector<ExplainedMatch>& matches);

}  // namespace redtune::cli
