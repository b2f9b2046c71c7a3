#pragma once

#include <string>
#include <string_view>

namespace redtune::test {

/// The golden output tests/cli/golden/NAME. With REDTUNE_UPDATE_GOLDEN set, the file first becomes `now`.
std::string golden(std::string_view name, std::string_view now);

}  // namespace redtune::test
