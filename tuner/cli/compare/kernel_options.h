#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "compare/cell_request.h"
#include "tuner/cli/table.h"

namespace redtune::cli {

/// The options of redtune-compare-kernels as they were typed.
struct KernelOptions {
    std::string against;
    std::vector<std::string> ops = {"sum", "max", "argmin"};
    std::vector<std::string> dtypes = {"f32", "f16", "i32", "f64", "bf16", "i8", "i64"};
    std::string bytes = "1Ki..4Gi";
    std::vector<std::string> regimes = {"cold", "warm"};
    std::vector<std::string> data = {"uniform"};
    std::vector<std::uint64_t> offsets = {0};
    int rounds = 40;
    std::string database;
    std::string output;
    Format format = Format::table;
};

void add_kernel_options(CLI::App& app, KernelOptions& options);

/// Returns the cells that the options ask for.
/// @throws InputError with the allowed values
compare::CellRequest parse_kernel_options(const KernelOptions& options);

}  // namespace redtune::cli
