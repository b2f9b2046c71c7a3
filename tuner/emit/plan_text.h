#pragma once

#include <string>

#include "tuner/emit/emission.h"
#include "tuner/emit/fill_in.h"

namespace redtune::emit {

/// Returns the values that the texts of all formats share: sizes, limits, and n's restrictions in words.
/// @param prefix what every name begins with; empty within a namespace
/// @param comment what every line of a comment begins with
Values common_values(const Emission& emission, const std::string& prefix, std::string_view comment);

/// Returns the C code, which is also C++, that computes the launches for any n: the launch rules as a table, the
/// configuration for each range of n, and the functions that do what tuner/core/launch_rule.cpp does.
/// @param values those of common_values(), with `fn` and `table`, the specifiers of functions and constant tables
std::string plan_text(const Emission& emission, Values values);

/// Returns the members of a list, each indented in a line of its own.
std::string as_lines(const std::vector<std::string>& members, std::string_view indentation);

}  // namespace redtune::emit
