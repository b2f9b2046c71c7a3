#pragma once

#include <cstdint>
#include <vector>

#include "db/store.h"
#include "tuner/cli/table.h"
#include "tuner/core/family.h"

namespace redtune::cli {

/// Returns the table that `tune` ends with, without rows.
Table make_summary();

/// Adds a row for each size and regime that has a winner: the winning configuration, its time, the floor of empty
/// kernels, its share of the memory's peak, and how much faster it is than the classic tree in shared memory (a time of
/// few samples, because screening stops early what is that slow).
/// @param families those that configurations are of; a configuration of another one is shown with all its parameters
void add_summary(Table& table, const db::Store& store, const std::vector<Family>& families, const DeviceInfo& device,
                 const Problem& problem, const std::vector<std::uint64_t>& sizes, const std::vector<Regime>& regimes);

}  // namespace redtune::cli
