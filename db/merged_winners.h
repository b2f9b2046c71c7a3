#pragma once

#include <vector>

#include "db/inspection.h"
#include "db/layer.h"

namespace redtune::db {

/// Returns the winners that look-ups find, sorted by device, problem, regime and n. The columns are `layer` and those
/// of list_winners(). A winner hides those of later layers for the same device name, problem, regime, n and
/// determinism; a replay's winner hides none that a GPU measured, and is hidden by it. A measurement that won under
/// both kinds of determinism is one row, whose `determinism` is "any, run_to_run".
Listing list_merged_winners(const std::vector<Layer>& layers, const WinnerFilter& filter);

}  // namespace redtune::db
