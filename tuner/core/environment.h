#pragma once

#include <optional>
#include <string>

namespace redtune {

/// Returns the value of an environment variable; empty if the variable is not set or its text is empty. All of
/// redtune reads the environment through this function. It may be called from any thread as long as no thread changes
/// the environment.
std::optional<std::string> environment_variable(const char* name);

}  // namespace redtune
