// redtune-bench compares tuned reductions with CUB, cell by cell, in one process.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "compare/comparison.h"
#include "compare/cub_reduce.h"
#include "tuner/cli/bench_options.h"
#include "tuner/cli/command.h"
#include "tuner/cli/comparison_output.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/kernel_cache.h"

namespace {

using namespace redtune;

/// Compares all cells of a problem on the data that `comparison` uses. Appends their rows to `rows`, and the names of
/// cells that are not tuned to `not_tuned`.
/// @return false if redtune or CUB has no valid time in some cell
bool compare(const cli::BenchRequest& request, const cli::BenchProblem& asked, compare::Comparison& comparison,
             const DeviceInfo& device, report::Streams streams, const std::atomic<bool>& stop,
             std::vector<report::ComparisonRow>& rows, std::vector<std::string>& not_tuned) {
    bool all_valid = true;
    for (const Regime regime : request.regimes) {
        for (const std::uint64_t offset : request.offsets) {
            for (const std::uint64_t n : asked.sizes) {
                if (stop) return all_valid;
                if (regime == Regime::warm && bytes_read(asked.problem, n) > device.l2_bytes / 2) continue;
                const compare::Outcome outcome =
                    comparison.run({n, regime, offset}, request.determinisms, request.cub_determinisms);
                rows.insert(rows.end(), outcome.rows.begin(), outcome.rows.end());
                all_valid = all_valid && outcome.failed.empty();
                const std::string cell =
                    report::name_of(report::compared_cell(asked.problem, n, regime, offset, streams));
                for (const std::string& text : outcome.failed) fmt::print(stderr, "{}: {}\n", cell, text);
                for (const std::string& text : outcome.not_tuned) {
                    fmt::print(stderr, "{}\n", not_tuned.emplace_back(fmt::format("{}: {}", cell, text)));
                }
            }
        }
    }
    return all_valid;
}

int run(const cli::BenchOptions& options) {
    const cli::BenchRequest request = cli::parse_bench(options);
    const int version = compare::cub_version();
    for (const auto& [problem, sizes, data] : request.problems) {
        const compare::CubCall call{problem.op, to_string(problem.input), "", problem.row_length};
        cli::refuse_missing_cub_determinism(request.cub_determinisms, problem, compare::cub_determinisms(call),
                                            version);
    }
    CatalogOptions from;
    if (!options.database.empty()) from.user_database = options.database;
    const Catalog catalog = Catalog::open(from);
    const jit::SourceSet sources = jit::SourceSet::load();
    cli::KernelCache cache;
    const std::atomic<bool>& stop = cli::stop_on_interrupt();
    std::vector<report::ComparisonRow> rows;
    compare::Session session;
    cli::ComparisonContext context{session.device().peak_gb_per_s, version};
    context.device = session.device().name;
    bool all_valid = true;
    for (const report::Streams streams : request.streams) {
        for (const cli::BenchProblem& asked : request.problems) {
            if (stop) break;
            const std::uint64_t largest_n =
                asked.sizes.back() + *std::max_element(request.offsets.begin(), request.offsets.end());
            compare::Comparison comparison(asked.problem, largest_n, sources, cache, catalog, session, streams,
                                           options.library ? compare::Caller::library : compare::Caller::kernel);
            if (!context.floors_us.contains(streams)) context.floors_us[streams] = comparison.floor_us();
            for (const timing::Data& data : asked.data) {
                comparison.use_data(data);
                all_valid =
                    compare(request, asked, comparison, session.device(), streams, stop, rows, context.not_tuned) &&
                    all_valid;
            }
        }
    }
    if (!rows.empty()) cli::print_comparison(rows, context, options.format, std::cout, std::cerr);
    if (stop) {
        fmt::print(stderr, "Interrupted: the table has only the cells that were timed.\n");
        return cli::interrupted;
    }
    if (!all_valid) return cli::failed_candidates;
    return rows.empty() ? cli::nothing_found : cli::done;
}

}  // namespace

int main(int argc, char** argv) {
    cli::BenchOptions options;
    CLI::App app("Compares tuned reductions with CUB, cell by cell: interleaved samples on the same inputs",
                 "redtune-bench");
    cli::add_bench_options(app, options);
    return cli::run_program(app, argc, argv, [&] { return run(options); });
}
