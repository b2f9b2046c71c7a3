#pragma once

#include <vector>

#include "tuner/cli/table.h"
#include "tuner/report/ladder.h"

namespace redtune::cli {

/// Prints the times of ladders on stdout and, if they were read, the counters: as more columns, or for people, whose
/// lines must fit, as a table of each ladder's own.
void print_ladders(const std::vector<report::LadderRow>& rows, bool has_counters, Format format);

}  // namespace redtune::cli
