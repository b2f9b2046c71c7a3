#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "redtune/problem.h"

namespace redtune::report {

/// One cell of a comparison of two versions of the kernels. Both run the same configuration, compiled from their own
/// sources.
struct KernelComparisonRow {
    std::string op;
    std::string dtype;
    std::uint64_t bytes = 0;  ///< bytes of input
    std::uint64_t n = 0;      ///< number of elements
    Regime regime = Regime::cold;
    std::uint64_t offset = 0;      ///< offset of the input's pointer from alignment, in elements
    std::string data = "uniform";  ///< the kind of data of the input, or the name of its file
    std::string configuration;
    double new_us = 0;
    double old_us = 0;
    double ratio_low = 0;   ///< lower end of the 95 % bootstrap interval of the median of paired ratios
    double ratio_high = 0;  ///< upper end of the 95 % bootstrap interval of the median of paired ratios

    /// Returns the new kernel's time over the old one's: above 1, the new one is slower.
    double ratio() const { return new_us / old_us; }
};

/// The summary of all cells of a comparison of two versions of the kernels.
struct KernelComparisonSummary {
    std::size_t cells = 0;
    double ratio = 0;         ///< geometric mean of the cells' ratios; 0 if there are no cells
    double worst = 0;         ///< greatest of the cells' ratios
    std::size_t above_1 = 0;  ///< number of cells in which the new kernel is slower by more than 1 %
    std::size_t above_2 = 0;  ///< number of cells in which the new kernel is slower by more than 2 %
};

KernelComparisonSummary summarize(const std::vector<KernelComparisonRow>& rows);

}  // namespace redtune::report
