#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"

namespace redtune::db {

/// Marks a SQLite file as redtune's, in its header: "rdtn".
inline constexpr std::int64_t application_id = 0x7264746e;

/// A file of db/schema/: takes a database from version - 1 to version.
struct Migration {
    int version = 0;
    std::string_view name;
    std::string_view sql;
};

/// Those that the library was built with, ascending from 1 without a gap.
std::vector<Migration> embedded_migrations();

/// Refuses what is not redtune's and what a later version wrote; takes an empty database.
/// @throws DatabaseError; nothing is written either way.
void check_identity(const Connection& connection, const std::string& name, int newest_version);

/// The database's version; 0: empty.
int schema_version(const Connection& connection);

/// Brings a database to the last of the migrations, each in a transaction of its own. Several processes may do
/// this at once: one migrates, the others wait.
///
/// An existing database is copied to FILE.bak-vN first, N being the version it had.
/// @param file empty: the connection is in memory, and no copy is made.
/// @throws DatabaseError; the database then has the version of the last migration that succeeded.
void migrate(Connection& connection, const std::filesystem::path& file, const std::vector<Migration>& migrations);

}  // namespace redtune::db
