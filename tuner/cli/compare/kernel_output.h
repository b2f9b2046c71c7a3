#pragma once

#include <iosfwd>
#include <vector>

#include "tuner/cli/table.h"
#include "tuner/report/kernel_comparison.h"

namespace redtune::cli {

/// Prints the rows and their summary. With csv, `out` gets only the rows and `err` the summary. With json, `out` gets
/// one object {"cells": [...], "summary": {...}}. With the other formats, `out` gets both.
void print_kernel_comparison(const std::vector<report::KernelComparisonRow>& rows, Format format, std::ostream& out,
                             std::ostream& err);

}  // namespace redtune::cli
