#pragma once

#include <filesystem>
#include <string_view>

namespace redtune::db {

/// Copies what is committed in a database file to FILE + suffix, replacing an earlier copy. The copy appears under its
/// name only when it is complete. If the caller holds the write lock, nothing can change the file meanwhile.
/// @return the path of the copy
std::filesystem::path back_up(const std::filesystem::path& file, std::string_view suffix);

/// As above, but never replaces: the first free of FILE + suffix + "1", "2" ...
std::filesystem::path back_up_numbered(const std::filesystem::path& file, std::string_view suffix);

}  // namespace redtune::db
