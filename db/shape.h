#pragma once

#include <string>
#include <string_view>

#include "redtune/problem.h"

namespace redtune::db {

/// Returns the text of a problem's shape in the database: "whole", "rows:32" or "columns:64", followed by "
/// destructive" if configurations may overwrite the input.
std::string stored_shape(const Problem& problem);

/// Sets the shape and `destructive` of a problem from the text that stored_shape() wrote.
/// @throws InputError for any other text
void read_shape(std::string_view text, Problem& problem);

}  // namespace redtune::db
