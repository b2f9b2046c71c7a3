#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace redtune::cli {

/// Returns a message about the first argument that names no command of the program, or no option of the command that it
/// stands behind, with the name that is probably meant; empty where every argument is known.
/// @param arguments of the command line, without the program's name
std::optional<std::string> explain_unknown_argument(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace redtune::cli
