#pragma once

#include <filesystem>
#include <string_view>

namespace redtune::db {

/// Copies the committed contents of a database file to FILE + suffix and returns the path of the copy. An earlier copy
/// is replaced, and the new one gets its name only when it is complete. If the caller holds the write lock, no process
/// can change the file meanwhile.
std::filesystem::path back_up(const std::filesystem::path& file, std::string_view suffix);

/// Copies the file as back_up() does to the first name FILE + suffix + "1", "2", ... that does not exist yet, and
/// returns that path.
std::filesystem::path back_up_numbered(const std::filesystem::path& file, std::string_view suffix);

}  // namespace redtune::db
