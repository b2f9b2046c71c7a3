#pragma once

#include <string_view>

#include "db/connection.h"
#include "tuner/core/json_object.h"

namespace redtune::db {

/// Checks what the constraints of the tables do not check: that redtune can read the row's texts, and that the rows
/// to which it refers go together. The row's columns have the right types, and the rows to which it refers exist.
/// @param rows the database to which the row will be added
/// @throws InputError that says what is wrong
void check_row(const Connection& rows, std::string_view table, JsonObject& row);

}  // namespace redtune::db
