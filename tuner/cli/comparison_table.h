#pragma once

#include <vector>

#include "tuner/cli/comparison_output.h"
#include "tuner/cli/table.h"
#include "tuner/report/comparison.h"

namespace redtune::cli {

/// Returns the rows of a comparison as a table. Format::table shows only the main columns, and leaves out the columns
/// that state the conditions: regime, alignment, kinds of determinism, streams.
Table table_of(const std::vector<report::ComparisonRow>& rows, const ComparisonContext& context, Format format);

/// Returns the groups of a summary as a table. Format::table leaves out the columns that state the conditions.
Table table_of(const std::vector<report::ComparisonGroup>& groups);

}  // namespace redtune::cli
