#include "tests/support/golden.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/support/source_path.h"

namespace redtune::test {

std::string golden(std::string_view name, std::string_view now) {
    const std::string path = source_path("tests/cli/golden/").append(name);
    if (std::getenv("REDTUNE_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << now;
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

}  // namespace redtune::test
