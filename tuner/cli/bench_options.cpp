#include "tuner/cli/bench_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "redtune/error.h"
#include "tuner/cli/known_names.h"

namespace redtune::cli {

namespace {

constexpr std::array known_ops = {"sum", "product", "min", "max", "mean", "argmin", "argmax", "dot"};
constexpr std::array row_ops = {"sum", "min", "max", "argmin", "argmax"};
constexpr std::array known_types = {"f32", "f64", "i32", "i64", "f16", "bf16", "i8"};
constexpr std::string_view not_compared = "is not compared with CUB";
constexpr std::array known_cub_determinisms = {"default", "not_guaranteed", "run_to_run", "gpu_to_gpu"};

/// Checks that CUB can reduce the shape.
/// @throws InputError with the allowed shapes, operators or lengths
void refuse_missing_shape(const Problem& problem) {
    if (problem.columns != 0) {
        throw InputError(
            fmt::format("--shape {} is not compared with CUB, which reduces no columns; allowed are "
                        "'whole' and 'rows:LENGTH'",
                        shape_name(problem)));
    }
    if (problem.row_length == 0) return;
    known_name("--shape rows with --op", problem.op, row_ops, not_compared);
    constexpr std::uint64_t longest_row = std::numeric_limits<std::int32_t>::max();
    if (problem.row_length <= longest_row) return;
    throw InputError(fmt::format("--shape rows:{} is not compared with CUB, whose segments have at most {} elements",
                                 problem.row_length, longest_row));
}

}  // namespace

void add_bench_options(CLI::App& app, BenchOptions& options) {
    const auto add_list = [&](const char* name, auto& list, const std::string& description) {
        app.add_option(name, list, description)->delimiter(',')->capture_default_str();
    };
    add_list("--op", options.ops,
             fmt::format("Operators: {}; of rows: {}. CUB has no mean: its sum is timed, without the division",
                         fmt::join(known_ops, ", "), fmt::join(row_ops, ", ")));
    add_list("--dtype", options.dtypes, fmt::format("Input types: {}", fmt::join(known_types, ", ")));
    add_list("--shape", options.shapes,
             "whole (one result; cub::DeviceReduce), rows:LENGTH (one for every row; cub::DeviceSegmentedReduce with "
             "segments of a fixed size from CUB 3.2 on, else with offsets that an iterator computes), or several");
    add_bench_size_options(app, options.sizes);
    add_list("--regime", options.regimes,
             "cold (input in device memory), warm (input in L2, up to half of it), back_to_back (as cold; calls may "
             "overlap), or several");
    add_list("--data", options.data,
             fmt::format("Data of the input: a file of elements, or {}", timing::list_data_kinds()));
    add_list("--offset", options.offsets, "Elements that the pointer is off alignment: 0, 1, or both");
    add_list("--determinism", options.determinisms,
             "Determinism of redtune: any, run_to_run (the same bits at every call), or both, to see what it costs");
    add_list(
        "--cub-determinism", options.cub_determinisms,
        fmt::format("Determinism of CUB: {}, as far as its version has them", fmt::join(known_cub_determinisms, ", ")));
    add_list("--streams", options.streams,
             "CUDA streams of the process that have launched kernels before: one, several (every launch then takes "
             "longer), or both");
    app.add_flag(
        "--library", options.library,
        "Call redtune's library (Reducer::reduce with a workspace of the caller) in place of the winner's kernels");
    app.add_option("--db", options.database, "Database with the tuned configurations (default: see `redtune db path`)");
    add_format_option(app, options.format);
}

BenchRequest parse_bench(const BenchOptions& options) {
    BenchRequest request;
    request.regimes = each_once(options.regimes, [](const std::string& name) { return parse_regime(name); });
    request.determinisms =
        each_once(options.determinisms, [](const std::string& name) { return parse_determinism(name); });
    request.cub_determinisms = each_once(options.cub_determinisms, [](const std::string& name) {
        return known_name("--cub-determinism", name, known_cub_determinisms, not_compared);
    });
    request.offsets = each_once(options.offsets, [](std::int64_t offset) {
        if (offset >= 0 && offset < std::int64_t{most_offset}) return static_cast<std::uint64_t>(offset);
        throw InputError(fmt::format("--offset {} is out of range; allowed are 0 to {}", offset, most_offset - 1));
    });
    request.streams = each_once(options.streams, [](const std::string& name) { return report::parse_streams(name); });
    std::sort(request.streams.begin(), request.streams.end());
    const auto same = [](const std::string& name) { return name; };
    for (const std::string& op : each_once(options.ops, same)) {
        for (const std::string& dtype : each_once(options.dtypes, same)) {
            for (const Shape& shape : each_once(options.shapes, parse_shape)) {
                Problem problem = make_problem(known_name("--op", op, known_ops, not_compared),
                                               parse_type(known_name("--dtype", dtype, known_types, not_compared)));
                problem = with_shape(problem, shape);
                problem.determinism = request.determinisms.front();
                refuse_missing_shape(problem);
                request.problems.push_back(
                    {problem, bench_sizes(options.sizes, problem), timing::parse_data_list(options.data, problem)});
            }
        }
    }
    return request;
}

void refuse_missing_cub_determinism(const std::vector<std::string>& asked, const Problem& problem,
                                    const std::vector<std::string_view>& has, int cub_version) {
    for (const std::string& name : asked) {
        if (std::find(has.begin(), has.end(), name) != has.end()) continue;
        throw InputError(fmt::format("CUB {}.{}.{} has no --cub-determinism {} for {} of {}{}; it has {}",
                                     cub_version / 100000, cub_version / 100 % 1000, cub_version % 100, name,
                                     problem.op, to_string(problem.input),
                                     problem.row_length == 0 ? "" : ", " + shape_name(problem), fmt::join(has, ", ")));
    }
}

}  // namespace redtune::cli
