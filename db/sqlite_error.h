#pragma once

#include <string_view>

#include "redtune/error.h"

struct sqlite3;

namespace redtune::db {

/// The last failure of a connection, in words: the file, SQLite's message, its extended code, and what to do.
DatabaseError sqlite_error(sqlite3* database);

}  // namespace redtune::db
