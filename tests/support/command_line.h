#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tuner/cli/command.h"

namespace redtune::cli {

/// What a run of the program left.
struct Outcome {
    int exit_code = 0;
    std::string out;
    std::string err;
};

/// Parses and runs one subcommand as main does, but lets redtune::Error and CLI::ParseError through.
Outcome run_command(const std::function<void(CLI::App&, int&)>& add, const std::vector<std::string>& arguments);

}  // namespace redtune::cli
