#include "tuner/core/environment.h"

#include <cstdlib>

namespace redtune {

std::optional<std::string> environment_variable(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
}

}  // namespace redtune
