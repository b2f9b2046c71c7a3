#include "tuner/report/kernel_comparison.h"

#include <algorithm>
#include <cmath>

namespace redtune::report {

KernelComparisonSummary summarize(const std::vector<KernelComparisonRow>& rows) {
    KernelComparisonSummary summary;
    double logarithms = 0;
    for (const KernelComparisonRow& row : rows) {
        const double ratio = row.ratio();
        logarithms += std::log(ratio);
        summary.worst = std::max(summary.worst, ratio);
        summary.above_1 += ratio > 1.01 ? 1 : 0;
        summary.above_2 += ratio > 1.02 ? 1 : 0;
    }
    summary.cells = rows.size();
    if (!rows.empty()) summary.ratio = std::exp(logarithms / static_cast<double>(rows.size()));
    return summary;
}

}  // namespace redtune::report
