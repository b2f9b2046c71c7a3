#include "tuner/cli/commands.h"

#include <CLI/CLI.hpp>

#include "redtune/version.h"
#include "tuner/cli/colour.h"
#include "tuner/cli/command.h"
#include "tuner/cli/help.h"
#include "tuner/cli/messages.h"

namespace redtune::cli {

namespace {

/// Adds the options of all commands to a command that has no subcommands, else to its subcommands.
void add_output_options(CLI::App& command) {
    const std::vector<CLI::App*> subcommands = command.get_subcommands([](const CLI::App*) { return true; });
    for (CLI::App* each : subcommands) add_output_options(*each);
    // A command with prefix_command() passes its arguments on to another program.
    if (!subcommands.empty() || command.get_prefix_command()) return;
    add_colour_option(command);
    add_verbosity_options(command);
}

}  // namespace

void add_commands(CLI::App& app, int& exit_code) {
    fit_help(app);
    app.set_version_flag("--version", "redtune " REDTUNE_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done, 1 failed, 2 usage, 3 no usable device, 4 nothing found, 5 finished with failed "
        "candidates or drifted winners, 130 interrupted (results kept).");
    add_tune_command(app, exit_code);
    add_verify_command(app, exit_code);
    add_query_command(app, exit_code);
    add_explain_command(app, exit_code);
    add_emit_command(app, exit_code);
    add_report_command(app, exit_code);
    add_plot_command(app, exit_code);
    add_families_command(app, exit_code);
    add_simulate_command(app, exit_code);
    add_ladder_command(app, exit_code);
    add_bench_command(app, exit_code);
    add_db_command(app, exit_code);
    add_warm_command(app, exit_code);
    add_cache_command(app, exit_code);
    add_devices_command(app, exit_code);
    add_doctor_command(app, exit_code);
    add_completion_command(app);
    add_man_command(app);
    add_worker_command(app);
    add_launch_command(app);
    add_output_options(app);
}

int run_redtune(int argc, char** argv) {
    int exit_code = done;
    CLI::App app("Autotuner for CUDA reductions: times kernels and keeps the best configuration for each size.",
                 "redtune");
    add_commands(app, exit_code);
    return run_program(app, argc, argv, [&] { return exit_code; });
}

}  // namespace redtune::cli
