#include <CLI/CLI.hpp>

#include "tuner/cli/command.h"
#include "tuner/cli/commands.h"

int main(int argc, char** argv) {
    using namespace redtune::cli;
    int exit_code = done;
    CLI::App app("Autotuner for CUDA reductions: times kernels and keeps the best configuration for each size.",
                 "redtune");
    add_commands(app, exit_code);
    return run_program(app, argc, argv, [&] { return exit_code; });
}
