#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "compare/accuracy.h"
#include "tuner/cli/bench_sizes.h"
#include "tuner/cli/table.h"

namespace redtune::cli {

/// The options of redtune-compare-accuracy as they were typed.
struct AccuracyOptions {
    std::vector<std::string> ops = {"sum", "dot"};
    std::vector<std::string> dtypes = {"f32", "f16", "bf16", "f64"};
    BenchSizeOptions sizes{.bytes = "", .elements = "", .random = ""};  ///< if both lists are empty: 64Ki and 16Mi
    std::vector<std::string> data;                                      ///< kinds of data; empty: all kinds
    Format format = Format::table;
};

void add_accuracy_options(CLI::App& app, AccuracyOptions& options);

/// Returns a request for each operator and type. Dot products of other types than f32 are left out.
/// @throws InputError with the allowed values, or if nothing is left
std::vector<compare::AccuracyRequest> parse_accuracy(const AccuracyOptions& options);

}  // namespace redtune::cli
