#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

/// Returns the values of an option that redtune knows by name; empty if there are none.
/// @param name the option as it is typed, "--dtype", or the name of an argument, "FILE"
std::vector<std::string> option_values(std::string_view name);

/// Returns whether the value of an option is the path of a file or a folder.
bool takes_file(std::string_view name);

}  // namespace redtune::cli
