#pragma once

#include <string>

#include "tuner/core/family.h"
#include "tuner/core/front_matter.h"

namespace redtune {

/// Returns the parameter's value that a TOML node holds: a whole number or a name for a compile parameter,
/// a number for a launch parameter.
/// @param compile true for a compile parameter, false for a launch parameter
/// @throws InputError at the node's line for anything else
Value read_value(const toml::node& node, const std::string& parameter, bool compile, const FrontMatter& matter);

/// Reads [compile], [launch] and [defaults] into `family.parameters`.
/// @throws InputError "path:line: what is wrong; what is allowed"
void read_parameters(const FrontMatter& matter, Family& family);

}  // namespace redtune
