#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace redtune::cli {

/// Returns a message about the first unknown argument: a command that does not exist, or an option that the command
/// before it does not take. The message suggests the nearest name. Empty if every argument is known.
/// @param arguments the command line without the program's name
std::optional<std::string> explain_unknown_argument(const CLI::App& app, const std::vector<std::string>& arguments);

/// Returns the parser's message about a value that is not in a list, "--format: jsn not in {table,json}", followed by
/// the nearest value of the list; other messages unchanged.
std::string suggest_value(const std::string& message);

}  // namespace redtune::cli
