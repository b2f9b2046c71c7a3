// redtune-compare-calls measures what calls of the library cost the calling thread, next to bare launches and to CUB.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "compare/call_times.h"
#include "tuner/cli/command.h"
#include "tuner/cli/kernel_cache.h"
#include "tuner/cli/table.h"
#include "tuner/core/size_list.h"

namespace {

using namespace redtune;

struct Options {
    std::string op = "sum";
    std::string dtype = "f32";
    std::string sizes = "1Ki,64Ki,1Mi,16Mi";
    cli::Format format = cli::Format::table;
};

int run(const Options& options) {
    const Problem problem = make_problem(options.op, parse_type(options.dtype));
    const std::vector<std::uint64_t> sizes = parse_sizes(options.sizes);
    const Catalog catalog = Catalog::open();
    compare::Session session;
    const jit::SourceSet sources = jit::SourceSet::load();
    const std::vector<Family> families = sources.families();
    cli::KernelCache cache;
    jit::Compiler compiler(sources, cache, session.device().architecture());
    compare::CallTimer timer(problem, *std::max_element(sizes.begin(), sizes.end()), catalog, compiler, families,
                             session);
    const compare::FirstCall first = timer.first_call(sizes.front());
    fmt::print(stderr, "first call: reducer {:.2f} ms, prepare {:.2f} ms, reduce {:.3f} ms\n", first.reducer_ms,
               first.prepare_ms, first.reduce_ms);
    cli::Table table({{"n"},
                      {"launch_us", 3},
                      {"own_workspace_us", 3},
                      {"pool_us", 3},
                      {"cub_us", 3},
                      {"own_workspace_over_launch_us", 3},
                      {"pool_over_launch_us", 3},
                      {"redtune_in_a_row_us", 3},
                      {"cub_in_a_row_us", 3}});
    for (const std::uint64_t n : sizes) {
        const compare::CallTimes times = timer.run(n);
        table.add({static_cast<std::int64_t>(n), times.launch_us, times.own_workspace_us, times.pool_us, times.cub_us,
                   times.own_workspace_over_launch_us, times.pool_over_launch_us, times.redtune_in_a_row_us,
                   times.cub_in_a_row_us});
    }
    table.print(std::cout, options.format);
    return cli::done;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app(
        "What a call of the library costs the calling thread: next to the driver's launches of the same kernels, and "
        "to CUB; then the time per call of many calls in one stream. Cold winners, aligned input",
        "redtune-compare-calls");
    app.add_option("--op", options.op, "Operator")->capture_default_str();
    app.add_option("--dtype", options.dtype, "Input type")->capture_default_str();
    app.add_option("--size", options.sizes, "Elements: 4Ki, 1Ki..1Gi (powers of two), lists")->capture_default_str();
    cli::add_format_option(app, options.format);
    return cli::run_program(app, argc, argv, [&] { return run(options); });
}
