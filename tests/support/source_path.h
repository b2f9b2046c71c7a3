#pragma once

#include <string>
#include <string_view>

namespace redtune::test {

/// The absolute path of a file of the project, from its path relative to the project's root.
std::string source_path(std::string_view relative);

}  // namespace redtune::test
