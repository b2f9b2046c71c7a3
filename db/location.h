#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tuner/core/data_folder.h"

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

using redtune::system_data_folder;

/// Returns the *.winners.db files of a folder, which look-ups read, sorted by name. Empty if the folder does not exist.
std::vector<std::filesystem::path> winners_files(const std::filesystem::path& folder);

/// Returns the *.recording.db files of a folder, which replays read, sorted by name.
std::vector<Recording> recordings_in(const std::filesystem::path& folder);

/// Returns the *.bench.csv files of a folder, comparisons with CUB as `redtune bench --format csv` prints them, sorted
/// by name. Empty if the folder does not exist.
std::vector<std::filesystem::path> comparison_files(const std::filesystem::path& folder);

/// Returns recordings_in(system_data_folder()).
std::vector<Recording> recordings();

}  // namespace redtune::db
