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
    double cub_us = 0;
    std::optional<double>
        limit_us;  ///< lower bound of any reduction's time (tuner/report/limit.h); empty: not measured
};

/// Returns the cells in what `redtune bench --format csv` printed. Cells with an unaligned pointer, several streams,
/// data other than uniform, or a determinism other than `any` are left out.
/// @throws InputError for text that is not such a table
std::vector<BenchTime> parse_bench_csv(std::string_view text);

}  // namespace redtune::report
