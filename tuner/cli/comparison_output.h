#pragma once

#include <iosfwd>
#include <map>
#include <vector>

#include "tuner/cli/table.h"
#include "tuner/report/comparison.h"

namespace redtune::cli {

/// What all rows of a comparison share.
struct ComparisonContext {
    double peak_gb_per_s = 0;
    int cub_version = 0;                               ///< as CUB numbers itself
    std::map<report::Streams, double> floors_us = {};  ///< time of an empty kernel
};

/// Prints the rows, then their summary: geometric means by group, what determinism costs, and every slower cell. As
/// table and md both are on `out`; as json `out` has one object {"cells": [...], "summary": {...}}; as csv
/// `out` has the rows alone, and `err` the summary as a table.
void print_comparison(const std::vector<report::ComparisonRow>& rows, const ComparisonContext& context, Format format,
                      std::ostream& out, std::ostream& err);

}  // namespace redtune::cli
