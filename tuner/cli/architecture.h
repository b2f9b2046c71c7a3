#pragma once

#include <string>

namespace redtune::cli {

/// Returns the compute capability, major x 10 + minor, of an architecture that a user typed: "sm_90", "90" or "9.0".
/// @throws InputError for any other text
int parse_architecture(const std::string& text);

/// Returns the architecture of a compute capability in NVRTC's notation: "sm_90" for 90.
std::string architecture_name(int compute_capability);

}  // namespace redtune::cli
