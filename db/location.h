#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace redtune::db {

/// A recorded device that can be replayed.
struct Recording {
    std::string name;  ///< "nvidia-h200", as `--device replay:nvidia-h200` names it
    std::filesystem::path file;
};

/// Returns the path of the user's own database: $REDTUNE_DB, else $XDG_DATA_HOME/redtune/redtune.db, else
/// ~/.local/share/redtune/redtune.db. The file need not exist.
/// @throws DatabaseError if no home folder is known either.
std::filesystem::path user_database_path();

/// Returns the folder of the shipped data, which need not exist: $REDTUNE_SYSTEM_DATA, else data_folder_for()
/// the running program's folder.
std::filesystem::path system_data_folder();

/// Returns the data folder that belongs to a program in this folder: share/redtune beside the folder (an installed
/// program), else db/data of the nearest source tree around it (a program of a build folder, wherever the tree was
/// moved or copied to), else the folder that the library was configured to be installed to, else the source tree that
/// it was compiled from.
std::filesystem::path data_folder_for(const std::filesystem::path& program_folder);

/// Returns the *.winners.db files of a folder, sorted by name: the data that look-ups read. Empty if there is no such
/// folder.
std::vector<std::filesystem::path> winners_files(const std::filesystem::path& folder);

/// Returns the *.recording.db files of a folder, sorted by name: the data that replays read.
std::vector<Recording> recordings_in(const std::filesystem::path& folder);

/// Returns recordings_in(system_data_folder()).
std::vector<Recording> recordings();

}  // namespace redtune::db
