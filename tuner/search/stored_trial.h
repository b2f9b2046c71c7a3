#pragma once

#include <vector>

#include "db/store.h"
#include "tuner/core/family.h"
#include "tuner/core/trial.h"

namespace redtune::search {

/// Returns the trial with which a stored measurement can be repeated.
/// @param families say whether the kernel overwrites its input; that of an unknown family does not
Trial stored_trial(const db::StoredMeasurement& stored, const std::vector<Family>& families);

}  // namespace redtune::search
