#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "db/store.h"

namespace redtune::db {

/// A database file that look-ups read.
struct Layer {
    std::string_view name;  ///< "user" or "shipped"
    std::filesystem::path file;
    Access access = Access::read_only;

    /// Opens the file.
    /// @throws DatabaseError if it is not a redtune database that this version can read.
    Store open() const { return Store::open(file, access); }
};

/// Returns the files that a look-up reads, in order of precedence: the user's file if it exists, then the winners files
/// of the shipped folder. Every command that reads several layers calls this function.
std::vector<Layer> layers(const std::filesystem::path& user_database, const std::filesystem::path& system_data);

/// Returns layers(user_database_path(), system_data_folder()).
std::vector<Layer> default_layers();

}  // namespace redtune::db
