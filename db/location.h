#pragma once

#include <filesystem>
#include <vector>

namespace redtune::db {

/// The user's own database: $REDTUNE_DB, else $XDG_DATA_HOME/redtune/redtune.db, else
/// ~/.local/share/redtune/redtune.db. It need not exist.
/// @throws DatabaseError where none of these is known, not even a home folder.
std::filesystem::path user_database_path();

/// The folder of databases shipped with the library: $REDTUNE_SYSTEM_DATA, else share/redtune beside the running
/// program's folder, else the folder redtune was installed to, else the one it was built from. It need not exist.
std::filesystem::path system_data_folder();

/// The *.db files of a folder, sorted by name; none where there is no such folder.
std::vector<std::filesystem::path> databases_in(const std::filesystem::path& folder);
std::vector<std::filesystem::path> system_databases();

}  // namespace redtune::db
