#pragma once

#include <string>
#include <string_view>

namespace redtune::test {

/// Returns the absolute path of a file of the project. `relative` is its path from the project's root.
std::string source_path(std::string_view relative);

}  // namespace redtune::test
