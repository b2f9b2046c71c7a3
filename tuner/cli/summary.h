#pragma once

#include <cstdint>
#include <vector>

#include "db/store.h"
#include "tuner/cli/table.h"

namespace redtune::cli {

/// The table that `tune` ends with, without rows.
Table make_summary();

/// A row for each size and regime that has a winner: what won, its time against the floor of empty kernels, its share
/// of the memory's peak, and how much faster it is than the classic tree in shared memory (a time of few
/// samples: what is that slow is given up early).
void add_summary(Table& table, const db::Store& store, const DeviceInfo& device, const Problem& problem,
                 const std::vector<std::uint64_t>& sizes, const std::vector<Regime>& regimes);

}  // namespace redtune::cli
