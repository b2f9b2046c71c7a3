#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace redtune::db {

/// A recording of a device's measurements, which a sweep can replay without the device.
struct Recording {
    std::string name;  ///< "nvidia-h200", for `--device replay:nvidia-h200`
    std::filesystem::path file;
};

/// Returns the path of the user's own database: $REDTUNE_DB, else $XDG_DATA_HOME/redtune/redtune.db, else
/// ~/.local/share/redtune/redtune.db. The file need not exist.
/// @throws DatabaseError if neither variable is set and the home folder is unknown.
std::filesystem::path user_database_path();

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

/// Returns the *.winners.db files of a folder, which look-ups read, sorted by name. Empty if the folder does not exist.
std::vector<std::filesystem::path> winners_files(const std::filesystem::path& folder);

/// Returns the *.recording.db files of a folder, which replays read, sorted by name.
std::vector<Recording> recordings_in(const std::filesystem::path& folder);

/// Returns recordings_in(system_data_folder()).
std::vector<Recording> recordings();

}  // namespace redtune::db
