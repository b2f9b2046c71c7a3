#pragma once

#include <string_view>

#include "redtune/error.h"

struct sqlite3;

namespace redtune::db {

/// Returns the last failure of a connection as an error whose text has the file, SQLite's message, its extended code
/// and what to do.
/// @param file the path that was to be opened. SQLite knows the path of open files only.
DatabaseError sqlite_error(sqlite3* database, std::string_view file = {});

}  // namespace redtune::db
