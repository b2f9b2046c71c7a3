#pragma once

#include <filesystem>
#include <string_view>

namespace redtune::db {

/// Copies the committed contents of a database file to FILE + suffix and returns the path of the copy. Replaces an
/// earlier copy; the new copy gets its name only when it is complete. A caller that holds the write lock makes sure
/// that no process changes the file meanwhile.
std::filesystem::path back_up(const std::filesystem::path& file, std::string_view suffix);

/// Copies a database file as back_up() does, and returns the path of the copy. Its name is FILE + suffix + N, with the
/// first N = 1, 2, ... for which no file exists.
std::filesystem::path back_up_numbered(const std::filesystem::path& file, std::string_view suffix);

}  // namespace redtune::db
