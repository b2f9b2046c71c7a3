#pragma once

#include "redtune/problem.h"
#include "tuner/cli/table.h"
#include "tuner/search/sweep_timing.h"

namespace redtune::cli {

/// Returns an empty table for `redtune tune --timing`.
Table make_timing_table();

/// Adds where the wall time of a sweep went: one row for each activity, and the sums of the busy and the idle time of
/// the GPU.
void add_timing(Table& table, const Problem& problem, const search::SweepTiming& timing);

}  // namespace redtune::cli
