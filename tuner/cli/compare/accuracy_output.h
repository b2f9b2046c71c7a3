#pragma once

#include <iosfwd>
#include <vector>

#include "tuner/cli/table.h"
#include "tuner/report/accuracy_row.h"

namespace redtune::cli {

/// Prints the rows. An infinite error is the text "inf" in every format.
void print_accuracy(const std::vector<report::AccuracyRow>& rows, Format format, std::ostream& out);

}  // namespace redtune::cli
