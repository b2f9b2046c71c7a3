#include "db/location.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "redtune/error.h"
#include "tuner/core/environment.h"
#include "tuner/core/program_folder.h"

namespace redtune::db {

namespace {

using Path = std::filesystem::path;

Path home_folder() {
    if (const auto home = environment_variable("HOME")) return *home;
    if (const passwd* user = getpwuid(getuid()); user != nullptr && user->pw_dir != nullptr) return user->pw_dir;
    throw DatabaseError("no home folder is known to keep the database in; set REDTUNE_DB to a file, or HOME");
}

}  // namespace

Path user_database_path() {
    if (const auto file = environment_variable("REDTUNE_DB")) return *file;
    // The XDG specification has relative paths ignored.
    const auto data = environment_variable("XDG_DATA_HOME");
    const Path folder = data && Path(*data).is_absolute() ? Path(*data) : home_folder() / ".local" / "share";
    return folder / "redtune" / "redtune.db";
}

Path system_data_folder() {
    if (const auto folder = environment_variable("REDTUNE_SYSTEM_DATA")) return *folder;
    std::error_code none;
    const Path program = program_folder();
    Path beside = program.parent_path() / "share" / "redtune";
    if (!program.empty() && std::filesystem::is_directory(beside, none)) return beside;
    if (std::filesystem::is_directory(REDTUNE_INSTALLED_DATA, none)) return REDTUNE_INSTALLED_DATA;
    return REDTUNE_SOURCE_DATA;
}

std::vector<Path> databases_in(const Path& folder) {
    std::vector<Path> found;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        if (entry.path().extension() == ".db") found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<Path> system_databases() {
    return databases_in(system_data_folder());
}

}  // namespace redtune::db
