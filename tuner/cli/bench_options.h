#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/cli/bench_sizes.h"
#include "tuner/cli/command.h"
#include "tuner/report/comparison.h"
#include "tuner/timing/data.h"

namespace redtune::cli {

/// The options of redtune-bench as they were typed.
struct BenchOptions {
    std::vector<std::string> ops = {"sum"};
    std::vector<std::string> dtypes = {"f32"};
    std::vector<std::string> shapes = {"whole"};
    BenchSizeOptions sizes;
    std::vector<std::string> regimes = {"cold"};
    std::vector<std::string> data = {"uniform"};
    std::vector<std::string> determinisms = {"any"};
    std::vector<std::string> cub_determinisms = {"default"};
    std::vector<std::int64_t> offsets = {0};
    std::vector<std::string> streams = {"one"};
    bool library = false;
    std::string database;
    Format format = Format::table;
};

/// A problem to compare, with its sizes (in elements, ascending) and the kinds of data of its inputs.
struct BenchProblem {
    Problem problem;
    std::vector<std::uint64_t> sizes;
    std::vector<timing::Data> data = {timing::Data()};
};

/// The comparison that the options ask for. No list has an item twice.
struct BenchRequest {
    /// One for each operator, type and shape; their determinism is the first of `determinisms`.
    std::vector<BenchProblem> problems;
    std::vector<Regime> regimes;
    std::vector<Determinism> determinisms;  ///< determinism of redtune's winners
    std::vector<std::string> cub_determinisms;
    /// Offsets of the input's pointer from alignment, in elements; below `most_offset`.
    std::vector<std::uint64_t> offsets;
    std::vector<report::Streams> streams;  ///< `one` precedes `several`: a Session cannot go back to one stream
};

inline constexpr std::uint64_t most_offset = 64;

void add_bench_options(CLI::App& app, BenchOptions& options);

/// Returns the comparison that the options ask for.
/// @throws InputError with the allowed values
BenchRequest parse_bench(const BenchOptions& options);

/// Checks that this version of CUB supports every determinism of `asked` for the operator and type of the problem.
/// @param has the kinds of determinism that CUB supports
/// @throws InputError that lists the supported kinds
void refuse_missing_cub_determinism(const std::vector<std::string>& asked, const Problem& problem,
                                    const std::vector<std::string_view>& has, int cub_version);

}  // namespace redtune::cli
