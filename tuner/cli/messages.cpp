#include "tuner/cli/messages.h"

#include <CLI/CLI.hpp>

namespace redtune::cli {

namespace {

Verbosity& chosen() {
    static Verbosity verbosity = Verbosity::normal;
    return verbosity;
}

}  // namespace

void choose_verbosity(Verbosity verbosity) {
    chosen() = verbosity;
}

Verbosity verbosity() {
    return chosen();
}

void add_verbosity_options(CLI::App& command) {
    CLI::Option* quiet = command.add_flag_callback(
        "--quiet", [] { choose_verbosity(Verbosity::quiet); }, "Print results, warnings and errors only");
    command
        .add_flag_callback(
            "--verbose", [] { choose_verbosity(Verbosity::verbose); },
            "Also print which files are read and, while tuning, every configuration that is the best so far")
        ->excludes(quiet);
}

}  // namespace redtune::cli
