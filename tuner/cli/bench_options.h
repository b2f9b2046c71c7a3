#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "redtune/problem.h"
#include "tuner/cli/command.h"
#include "tuner/report/comparison.h"

namespace redtune::cli {

/// The options of redtune-bench as given.
struct BenchOptions {
    std::vector<std::string> ops = {"sum"};
    std::vector<std::string> dtypes = {"f32"};
    std::string bytes = "1Ki..256Mi";
    std::vector<std::string> regimes = {"cold"};
    std::vector<std::string> determinisms = {"any"};
    std::vector<std::string> cub_determinisms = {"default"};
    std::vector<std::int64_t> offsets = {0};
    std::vector<std::string> streams = {"one"};
    std::string database;
    Format format = Format::table;
};

/// The comparison that the options ask for. Every list has each item once.
struct BenchRequest {
    std::vector<Problem> problems;     ///< operators x types, with the first determinism
    std::vector<std::uint64_t> bytes;  ///< ascending; whole elements of every type
    std::vector<Regime> regimes;
    std::vector<Determinism> determinisms;  ///< of redtune's winners
    std::vector<std::string> cub_determinisms;
    std::vector<std::uint64_t> offsets;    ///< elements off alignment, below `most_offset`
    std::vector<report::Streams> streams;  ///< ascending: there is no way back from several to one
};

inline constexpr std::uint64_t most_offset = 64;

void add_bench_options(CLI::App& app, BenchOptions& options);

/// @throws InputError with what is allowed.
BenchRequest parse_bench(const BenchOptions& options);

/// @param has the kinds of determinism that this version of CUB has for the operator and type
/// @throws InputError that lists them, if one that is asked for is not among them
void refuse_missing_cub_determinism(const std::vector<std::string>& asked, const Problem& problem,
                                    const std::vector<std::string_view>& has, int cub_version);

}  // namespace redtune::cli
