#pragma once

#include <cstdint>
#include <vector>

#include "db/store.h"
#include "tuner/cli/table.h"
#include "tuner/cli/tune_conclusion.h"
#include "tuner/core/family.h"

namespace redtune::cli {

/// Returns the empty table that `tune` prints at its end.
Table make_summary();

/// Adds a row for each size and regime that has a winner: the winning configuration, its time, the time of empty
/// kernels, its share of the memory's peak, and its speed-up over the classic reduction, a tree in shared memory. The
/// time of the classic reduction has few samples, because the screening of such a slow trial is stopped early. Returns
/// what conclude() takes.
/// @param families the families of the configurations; the configuration of any other family is shown with all
/// parameters
std::vector<TunedCell> add_summary(Table& table, const db::Store& store, const std::vector<Family>& families,
                                   const DeviceInfo& device, const Problem& problem,
                                   const std::vector<std::uint64_t>& sizes, const std::vector<Regime>& regimes);

}  // namespace redtune::cli
