#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/cli/table.h"

namespace redtune::compare {

/// The options of redtune-compare-kernels as given.
struct KernelOptions {
    std::string against;
    std::vector<std::string> ops = {"sum", "max", "argmin"};
    std::vector<std::string> dtypes = {"f32", "f16", "i32", "f64", "bf16", "i8", "i64"};
    std::string bytes = "1Ki..4Gi";
    std::vector<std::string> regimes = {"cold", "warm"};
    std::vector<std::uint64_t> offsets = {0};
    int rounds = 40;
    std::string database;
    std::string output;
    cli::Format format = cli::Format::table;
};

/// The cells that the options ask for.
struct KernelRequest {
    std::vector<Problem> problems;     ///< operators x types
    std::vector<std::uint64_t> bytes;  ///< of input, ascending
    std::vector<Regime> regimes;
    std::vector<std::uint64_t> offsets;  ///< elements off alignment
};

void add_kernel_options(CLI::App& app, KernelOptions& options);

/// @throws InputError that says what is allowed.
KernelRequest parse_kernel_options(const KernelOptions& options);

}  // namespace redtune::compare
