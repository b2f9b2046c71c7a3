#pragma once

#include "db/connection.h"

namespace redtune::db {

/// Returns a new, empty, temporary database with this version's schema, for add_rows(). SQLite keeps it in a cache and
/// moves what does not fit there to a temporary file.
Connection empty_merge_target();

/// Adds the rows of a database to a merge target. The ids of the target depend on the order in which databases are
/// added, unless only one is added.
/// @param input a database with this version's schema, which is not changed
void add_rows(Connection& target, const Connection& input);

/// Returns a copy of a database, without its table `winner`, in which the ids depend only on the contents of the rows.
Connection ordered_copy(const Connection& input);

}  // namespace redtune::db
