#pragma once

namespace CLI {
class App;
}

namespace redtune::cli {

/// Adds all subcommands to the program, in the order in which the help lists them.
void add_commands(CLI::App& app, int& exit_code);

/// Runs the program `redtune` with its arguments.
/// @return its exit code
int run_redtune(int argc, char** argv);

}  // namespace redtune::cli
