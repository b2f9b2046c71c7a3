#pragma once

#include <string_view>

#include "redtune/error.h"

struct sqlite3;

namespace redtune::db {

/// Returns an error for the last failure of a connection. The text of the error has the file, SQLite's message and
/// extended result code, and a remedy.
/// @param file the file's path if it could not be opened; SQLite knows the paths of open files only
DatabaseError sqlite_error(sqlite3* database, std::string_view file = {});

}  // namespace redtune::db
