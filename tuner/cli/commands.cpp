#include "tuner/cli/commands.h"

#include <CLI/CLI.hpp>

#include "redtune/version.h"
#include "tuner/cli/command.h"

namespace redtune::cli {

void add_commands(CLI::App& app, int& exit_code) {
    app.set_version_flag("--version", "redtune " REDTUNE_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done, 1 failed, 2 usage, 3 no usable device, 4 nothing found, 5 finished with failed\n"
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
}

int run_redtune(int argc, char** argv) {
    int exit_code = done;
    CLI::App app("Autotuner for CUDA reductions: times kernels and keeps the best configuration for each size.",
                 "redtune");
    add_commands(app, exit_code);
    return run_program(app, argc, argv, [&] { return exit_code; });
}

}  // namespace redtune::cli
