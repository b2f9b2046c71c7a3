#pragma once

#include <vector>

#include "tuner/core/family.h"
#include "tuner/search/executor.h"
#include "tuner/search/history.h"
#include "tuner/search/sweep_plan.h"

namespace redtune::search {

/// Refuses a request that the executor cannot measure, before anything is stored.
/// @throws InputError for a size, a regime or a family, with the executor's reason.
void check_request(const Executor& executor, const SweepRequest& request);

/// Lists the cells of a request with their trials, and estimates what is still to be done.
SweepPlan plan_sweep(const Executor& executor, const std::vector<Family>& families, const SweepRequest& request,
                     const History& history);

}  // namespace redtune::search
