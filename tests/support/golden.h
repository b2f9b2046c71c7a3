#pragma once

#include <string>
#include <string_view>

namespace redtune::test {

/// Returns the expected output, the contents of tests/cli/golden/NAME. If the environment variable
/// REDTUNE_UPDATE_GOLDEN is set, first writes `now`, the actual output, to that file.
std::string golden(std::string_view name, std::string_view now);

}  // namespace redtune::test
