#include "tuner/cli/compare/accuracy_output.h"

#include <cmath>
#include <ostream>

namespace redtune::cli {

void print_accuracy(const std::vector<report::AccuracyRow>& rows, Format format, std::ostream& out) {
    // The error of a sum of terms with random signs is near 1 / sqrt(n) units, so small numbers need their digits.
    constexpr int decimals = 6;
    Table table({{"op"}, {"dtype"}, {"n"}, {"data"}, {"method"}, {"family"}, {"error", decimals}});
    for (const report::AccuracyRow& row : rows) {
        const Cell error = std::isinf(row.error) ? Cell(std::string("inf")) : Cell(row.error);
        table.add({row.op, row.dtype, static_cast<std::int64_t>(row.n), row.data, row.method, row.family, error});
    }
    table.print(out, format);
}

}  // namespace redtune::cli
