#pragma once

#include <string>
#include <string_view>

#include "redtune/problem.h"

namespace redtune::db {

/// A problem's shape as the database keeps it: "whole" or "rows:32", then " destructive" where configurations may
/// overwrite the input.
std::string stored_shape(const Problem& problem);

/// Sets what stored_shape() was made of. @throws InputError for other text.
void read_shape(std::string_view text, Problem& problem);

}  // namespace redtune::db
