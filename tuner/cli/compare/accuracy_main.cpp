// redtune-compare-accuracy measures the error of each finish, and of CUB, on each kind of data.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "compare/accuracy.h"
#include "compare/cub_subject.h"
#include "tuner/cli/command.h"
#include "tuner/cli/compare/accuracy_options.h"
#include "tuner/cli/compare/accuracy_output.h"
#include "tuner/cli/interrupt.h"
#include "tuner/cli/kernel_cache.h"
#include "tuner/cli/messages.h"

namespace {

using namespace redtune;

std::vector<compare::AccuracyMethod> cub_methods(const Problem& problem, std::uint64_t n) {
    // In a build without CUB this statement is discarded, so the linker needs no definition of the functions that it
    // calls.
    if constexpr (REDTUNE_HAS_CUB) {
        return compare::cub_accuracy_methods(problem, n);
    } else {
        static_cast<void>(problem);
        static_cast<void>(n);
        return {};
    }
}

int run(const cli::AccuracyOptions& options) {
    const std::vector<compare::AccuracyRequest> requests = cli::parse_accuracy(options);
    if (!REDTUNE_HAS_CUB) cli::note("without rows of CUB: this program was built without -DREDTUNE_BENCH=ON\n");
    const jit::SourceSet sources = jit::SourceSet::load();
    const std::vector<Family> families = sources.families();
    cli::KernelCache cache;
    const std::atomic<bool>& stop = cli::stop_on_interrupt();
    compare::Session session;
    jit::Compiler compiler(sources, cache, session.device().architecture());
    std::vector<report::AccuracyRow> rows;
    std::vector<std::string> failures;
    for (const compare::AccuracyRequest& request : requests) {
        if (stop) break;
        cli::note("{} of {}\n", request.problem.op, to_string(request.problem.input));
        const compare::AccuracyOutcome outcome =
            compare::measure_accuracy(request, compiler, families, session, cub_methods, stop);
        rows.insert(rows.end(), outcome.rows.begin(), outcome.rows.end());
        failures.insert(failures.end(), outcome.failures.begin(), outcome.failures.end());
    }
    for (const std::string& failure : failures) fmt::print(stderr, "{}\n", failure);
    if (!rows.empty()) cli::print_accuracy(rows, options.format, std::cout);
    if (stop) {
        fmt::print(stderr, "Interrupted: the table has only the errors that were measured.\n");
        return cli::interrupted;
    }
    if (!failures.empty()) return cli::failed_candidates;
    return rows.empty() ? cli::nothing_found : cli::done;
}

}  // namespace

int main(int argc, char** argv) {
    cli::AccuracyOptions options;
    CLI::App app(
        "The error of sums on each kind of data: one candidate for each finish, and CUB, against the exact sum, in "
        "units "
        "of u * sum of |x| (u: 2^-24, or 2^-53 where f64 is accumulated)",
        "redtune-compare-accuracy");
    cli::add_accuracy_options(app, options);
    return cli::run_program(app, argc, argv, [&] { return run(options); });
}
