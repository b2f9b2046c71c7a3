#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tuner/cli/command.h"

namespace redtune::cli {

/// The exit code and the output of a command.
struct Outcome {
    int exit_code = 0;
    std::string out;
    std::string err;
};

/// Parses and runs one subcommand as main() does, except that redtune::Error and CLI::ParseError reach the caller.
/// `add` adds the subcommand to a parser; `arguments` begin with its name.
Outcome run_command(const std::function<void(CLI::App&, int&)>& add, const std::vector<std::string>& arguments);

}  // namespace redtune::cli
