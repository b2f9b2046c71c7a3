#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace redtune::db {

/// Returns every row of every table, with all ids.
std::vector<std::string> all_rows(const std::filesystem::path& file);

/// Returns the rows of the views without their ids, sorted: equal for databases that hold the same.
std::vector<std::string> contents(const std::filesystem::path& file);

}  // namespace redtune::db
