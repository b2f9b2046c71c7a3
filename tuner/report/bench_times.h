#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.h"

namespace redtune::report {

/// The times of one cell of a comparison with CUB.
struct BenchTime {
    Problem problem;
    std::uint64_t n = 0;
    Regime regime = Regime::cold;
    std::string device;  ///< name; empty: the table has no column `device`
    double cub_us = 0;
    std::optional<double> redtune_us;  ///< from samples that were interleaved with CUB's; empty: not in the table
    /// A lower bound of any reduction's time (tuner/report/limit.h); empty: not measured.
    std::optional<double> limit_us;
};

/// Returns the cells in what `redtune bench --format csv` printed. Cells with an unaligned pointer, several streams,
/// data other than uniform, a determinism other than `any`, or a determinism of CUB other than its default are left
/// out.
/// @throws InputError for text that is not such a table
std::vector<BenchTime> parse_bench_csv(std::string_view text);

}  // namespace redtune::report
