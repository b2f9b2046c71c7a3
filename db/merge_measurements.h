#pragma once

#include "db/connection.h"

namespace redtune::db {

/// Adds the measurements of the attached database `input` to the main database, and creates the temporary table
/// map_measurement. The rows that measurements refer to were merged before. Of two copies of a measurement, the one
/// with the most samples stays.
void add_measurements(Connection& connection);

}  // namespace redtune::db
