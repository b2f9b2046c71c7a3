#pragma once

#include <cstdint>
#include <ostream>

#include "db/connection.h"

namespace redtune::db {

/// Writes a database as JSON Lines (docs/database.md#export-and-import) and returns the number of rows. The text
/// depends only on the contents of the rows, not on their ids or their order in the file.
/// @param database a redtune database with this version's schema
/// @throws DatabaseError if the database cannot be read
std::uint64_t export_rows(const Connection& database, std::ostream& out);

}  // namespace redtune::db
