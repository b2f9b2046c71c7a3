#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tuner/cli/command.h"

namespace redtune::cli {

/// The exit code and the output of a subcommand.
struct Outcome {
    int exit_code = 0;
    std::string out;
    std::string err;
};

/// Runs one subcommand as main() does and returns its outcome, but lets redtune::Error and CLI::ParseError propagate.
/// @param add adds the subcommand to a parser
/// @param arguments the command line, which begins with the subcommand's name
Outcome run_command(const std::function<void(CLI::App&, int&)>& add, const std::vector<std::string>& arguments);

}  // namespace redtune::cli
