#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "tuner/cli/table.h"
#include "tuner/report/comparison.h"

namespace redtune::cli {

/// The facts that all rows of a comparison have in common.
struct ComparisonContext {
    double peak_gb_per_s = 0;
    int cub_version = 0;                               ///< CUB_VERSION: 300600 is 3.6.0
    std::map<report::Streams, double> floors_us = {};  ///< time of an empty kernel for each number of streams
    std::string device = {};                           ///< name of the device
    /// For each cell without a tuned configuration: its name and how to tune it.
    std::vector<std::string> not_tuned = {};
};

/// Prints the rows and their summary: geometric means by group, the cost of determinism, and every cell in which
/// redtune is slower or contradicts the limit. Format::table shows the main columns in at most 100 characters. With
/// table and md, `out` gets the rows and the summary. With json, `out` gets one object {"cells": [...], "summary":
/// {...}}. With csv, `out` gets only the rows, and `err` gets the summary as a table.
void print_comparison(const std::vector<report::ComparisonRow>& rows, const ComparisonContext& context, Format format,
                      std::ostream& out, std::ostream& err);

}  // namespace redtune::cli
