// redtune-compare-kernels compares two versions of the kernels, cell by cell, in one process.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "compare/kernel_comparison.h"
#include "redtune/error.h"
#include "tuner/cli/command.h"
#include "tuner/cli/compare/kernel_options.h"
#include "tuner/cli/compare/kernel_output.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/kernel_cache.h"
#include "tuner/cli/messages.h"
#include "tuner/timing/constants.h"

namespace {

using namespace redtune;

/// Minimum time of a graph of calls. The resolution of events, about 0.5 us, is 0.25 % of it.
constexpr double graph_us = 200;

/// Prints the rows to the file that --output names; without --output, to standard output.
void print(const std::vector<report::KernelComparisonRow>& rows, const cli::KernelOptions& options) {
    if (options.output.empty()) {
        return cli::print_kernel_comparison(rows, options.format, std::cout, std::cerr);
    }
    std::ofstream file(options.output);
    cli::print_kernel_comparison(rows, options.format, file, std::cerr);
    file.close();
    if (!file) throw Error(fmt::format("{} could not be written; --output names a file", options.output));
}

int run(const cli::KernelOptions& options) {
    const compare::CellRequest request = cli::parse_kernel_options(options);
    CatalogOptions from;
    if (!options.database.empty()) from.user_database = options.database;
    const Catalog catalog = Catalog::open(from);
    cli::KernelCache cache;
    const std::atomic<bool>& stop = cli::stop_on_interrupt();
    compare::Session session;
    const std::string architecture = session.device().architecture();
    compare::KernelVersion new_version(jit::SourceSet::load(), cache, architecture);
    compare::KernelVersion old_version(jit::SourceSet::from_folder(options.against), cache, architecture);

    std::vector<std::string> failures;
    const std::vector<compare::KernelCells> problems =
        compare::find_cells(request, catalog, session.device(), new_version.families, old_version.families, failures);
    cli::note("compiling the kernels of {} problems\n", problems.size());
    compare::compile_cells(problems, new_version, old_version);

    std::vector<report::KernelComparisonRow> rows;
    for (const compare::KernelCells& cells : problems) {
        if (stop) break;
        cli::note("{} {}: {} cells\n", cells.problem.op, to_string(cells.problem.input), cells.cells.size());
        const compare::KernelOutcome outcome =
            compare::compare_kernels(cells, new_version, old_version, session, {options.rounds, graph_us}, stop);
        rows.insert(rows.end(), outcome.rows.begin(), outcome.rows.end());
        failures.insert(failures.end(), outcome.failures.begin(), outcome.failures.end());
    }
    for (const std::string& failure : failures) fmt::print(stderr, "{}\n", failure);
    if (!rows.empty()) print(rows, options);
    if (stop) {
        fmt::print(stderr, "Interrupted: the table has only the cells that were timed.\n");
        return cli::interrupted;
    }
    if (!failures.empty()) return cli::failed_candidates;
    if (!rows.empty()) return cli::done;
    fmt::print(stderr,
               "Nothing was compared: no cell that was asked for is tuned for {}; `redtune db list` shows what "
               "is.\n",
               session.device().name);
    return cli::nothing_found;
}

}  // namespace

int main(int argc, char** argv) {
    cli::KernelOptions options;
    CLI::App app(
        "Two versions of the kernels, cell by cell: the tuned configuration of each cell, compiled from this "
        "build's sources (new) and from those of a folder (old), timed in interleaved rounds",
        "redtune-compare-kernels");
    cli::add_kernel_options(app, options);
    return cli::run_program(app, argc, argv, [&] { return run(options); });
}
