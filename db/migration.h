#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"

namespace redtune::db {

/// The application_id in the header of redtune's SQLite files, "rdtn" in ASCII.
inline constexpr std::int64_t application_id = 0x7264746e;

/// A file of db/schema/. Its SQL upgrades a database from `version` - 1 to `version`.
struct Migration {
    int version = 0;
    std::string_view name;
    std::string_view sql;
};

/// Returns the migrations that the library was built with, in ascending order from version 1 without a gap.
std::vector<Migration> embedded_migrations();

/// Checks that the database is empty or was made by this version of redtune or an older one. Writes nothing.
/// @throws DatabaseError for a database of another program or of a newer redtune
void check_identity(const Connection& connection, const std::string& name, int newest_version);

/// Returns the database's version; 0 if it is empty.
int schema_version(const Connection& connection);

/// Upgrades a database: runs each missing migration in its own transaction. Several processes may call this function at
/// once; one of them migrates while the others wait.
///
/// The file of a database that is not empty is copied to FILE.bak-vN first, where N is its old version.
/// @param file the database's path; empty for a database in memory, which is not copied
/// @throws DatabaseError if a migration fails; the database then has the version of the last successful migration
void migrate(Connection& connection, const std::filesystem::path& file, const std::vector<Migration>& migrations);

}  // namespace redtune::db
