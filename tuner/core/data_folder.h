#pragma once

#include <filesystem>
#include <optional>

namespace redtune {

/// Returns the folder of the user's data, as the XDG Base Directory Specification defines it; empty if there is no home
/// folder. Relative paths must be ignored, says the specification.
std::optional<std::filesystem::path> user_data_home();

/// Returns the folder of the shipped data, which need not exist: $REDTUNE_SYSTEM_DATA, else data_folder_for() of
/// library_folder().
std::filesystem::path system_data_folder();

/// Returns the folder with the data that was shipped with the program or shared library in `library_folder`. It is the
/// first of these folders that holds a shipped database, else the last of them:
/// 1. share/redtune in `library_folder`, in its parent or in its grandparent: a program in PREFIX/bin, a shared library
/// in
///    PREFIX/lib or PREFIX/lib/x86_64-linux-gnu, and both in a build folder, also after the prefix or build folder
///    moved;
/// 2. the configured install folder; in a build as part of another project also share/redtune of the build folder;
/// 3. redtune/ in the folders of the XDG Base Directory Specification: $XDG_DATA_HOME (~/.local/share) and
///    $XDG_DATA_DIRS (/usr/local/share:/usr/share), for programs that contain the static library.
std::filesystem::path data_folder_for(const std::filesystem::path& library_folder);

}  // namespace redtune
