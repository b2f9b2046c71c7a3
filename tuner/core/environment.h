#pragma once

#include <optional>
#include <string>

namespace redtune {

/// The value of an environment variable; empty if the variable is not set or has no text. Nothing else in redtune reads
/// the environment. May be called from any thread as long as no thread changes the environment.
std::optional<std::string> environment_variable(const char* name);

}  // namespace redtune
