#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "redtune/problem.h"

namespace redtune::cli {

/// The options that select the sizes of a comparison, as they were typed.
struct BenchSizeOptions {
    std::string bytes = "1Ki..256Mi";
    std::string elements;  ///< list of sizes in elements; if it is not empty, `bytes` is ignored
    std::string random;    ///< "COUNT" or "COUNT:SEED"; empty: the listed sizes are compared, and no random ones
};

void add_bench_size_options(CLI::App& app, BenchSizeOptions& options);

/// Returns the sizes to compare for a problem, in elements, ascending and without repeats. Random sizes are drawn from
/// the range between the smallest and the largest listed size. All sizes are whole rows of the problem.
/// @throws InputError if a listed size is not a whole number of rows, or if the range has fewer sizes than COUNT
std::vector<std::uint64_t> bench_sizes(const BenchSizeOptions& options, const Problem& problem);

}  // namespace redtune::cli
