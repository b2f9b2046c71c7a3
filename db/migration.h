#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"

namespace redtune::db {

/// The application_id in the header of redtune's SQLite files: "rdtn".
inline constexpr std::int64_t application_id = 0x7264746e;

/// A file of db/schema/, which changes a database of version - 1 to version.
struct Migration {
    int version = 0;
    std::string_view name;
    std::string_view sql;
};

/// Returns the migrations that the library was built with, ascending from version 1 without a gap.
std::vector<Migration> embedded_migrations();

/// Accepts an empty database and one of redtune's; writes nothing.
/// @throws DatabaseError for a database of another program or of a newer redtune
void check_identity(const Connection& connection, const std::string& name, int newest_version);

/// Returns the database's version; 0 if it is empty.
int schema_version(const Connection& connection);

/// Runs the migrations that a database still lacks, each in its own transaction. Several processes may call this at
/// once: one migrates, the others wait.
///
/// A database that is not empty is copied to FILE.bak-vN first, where N is its version.
/// @param file empty if the connection is in memory; then no copy is made
/// @throws DatabaseError; the database then has the version of the last migration that succeeded
void migrate(Connection& connection, const std::filesystem::path& file, const std::vector<Migration>& migrations);

}  // namespace redtune::db
