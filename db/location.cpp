#include "db/location.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "redtune/error.h"

namespace redtune::db {

namespace {

using Path = std::filesystem::path;

/// An empty variable counts as none.
std::optional<Path> from_environment(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return Path(value);
}

Path home_folder() {
    if (const auto home = from_environment("HOME")) return *home;
    if (const passwd* user = getpwuid(getuid()); user != nullptr && user->pw_dir != nullptr) return user->pw_dir;
    throw DatabaseError("no home folder is known to keep the database in; set REDTUNE_DB to a file, or HOME");
}

}  // namespace

Path user_database_path() {
    if (const auto file = from_environment("REDTUNE_DB")) return *file;
    // The XDG specification has relative paths ignored.
    const auto data = from_environment("XDG_DATA_HOME");
    const Path folder = data && data->is_absolute() ? *data : home_folder() / ".local" / "share";
    return folder / "redtune" / "redtune.db";
}

Path system_data_folder() {
    if (const auto folder = from_environment("REDTUNE_SYSTEM_DATA")) return *folder;
    std::error_code none;
    const Path program = std::filesystem::read_symlink("/proc/self/exe", none);
    Path beside = program.parent_path().parent_path() / "share" / "redtune";
    if (!none && std::filesystem::is_directory(beside, none)) return beside;
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
