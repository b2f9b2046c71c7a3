#pragma once

#include <iosfwd>
#include <vector>

#include "tuner/cli/table.h"
#include "tuner/report/kernel_comparison.h"

namespace redtune::cli {

/// Prints the rows, then their summary, on `out`. As csv, `out` has the rows alone and `err` the summary; as json,
/// `out` has one object {"cells": [...], "summary": {...}}.
void print_kernel_comparison(const std::vector<report::KernelComparisonRow>& rows, Format format, std::ostream& out,
                             std::ostream& err);

}  // namespace redtune::cli
