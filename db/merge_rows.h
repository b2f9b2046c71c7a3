#pragma once

#include "db/connection.h"

namespace redtune::db {

/// Adds the rows of the database that is attached as `input` to the main database, which has the same schema. The
/// tables `winner`, `regime`, `stage` and `status` are left as they are. If the main database is empty, the ids depend
/// only on the contents of the rows.
void add_rows_of_input(Connection& connection);

}  // namespace redtune::db
