#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "db/store.h"
#include "tuner/search/effort.h"
#include "tuner/search/executor.h"
#include "tuner/search/prior.h"
#include "tuner/search/sweep.h"

namespace redtune::search {

/// Tunes cells of one problem again, as `tune --no-resume` does for their sizes: stored measurements count only as a
/// hint where to begin. Stores the measurements and the new winners.
/// @param cells sizes and regimes; those that the executor refuses are left out
/// @param stop ends the current sweep; no further one begins
void retune(std::span<const CellKey> cells, const Problem& problem, Effort effort, Executor& executor, db::Store& store,
            const std::vector<Family>& families, const std::function<void(const SweepProgress&)>& progress,
            const std::atomic<bool>& stop);

}  // namespace redtune::search
