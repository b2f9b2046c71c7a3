#include "tuner/core/data_folder.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "tuner/core/environment.h"
#include "tuner/core/library_folder.h"

namespace redtune {

namespace {

using Path = std::filesystem::path;

std::optional<Path> home_folder() {
    if (const auto home = environment_variable("HOME")) return *home;
    if (const passwd* user = getpwuid(getuid()); user != nullptr && user->pw_dir != nullptr) return user->pw_dir;
    return std::nullopt;
}

/// Returns whether a folder has a database that ships (db/location.h).
bool holds_shipped_data(const Path& folder) {
    std::error_code none;
    const std::filesystem::directory_iterator files(folder, none);
    return std::any_of(begin(files), end(files), [](const std::filesystem::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        return name.ends_with(".winners.db") || name.ends_with(".recording.db");
    });
}

/// Returns the folders in which data_folder_for() searches, in its order; at least one.
std::vector<Path> data_folder_candidates(const Path& library_folder) {
    std::vector<Path> candidates;
    // Without /proc the library's folder is empty, and a path below it would be relative to the working directory.
    if (!library_folder.empty()) {
        const Path parent = library_folder.parent_path();
        for (const Path& folder : {library_folder, parent, parent.parent_path()}) {
            candidates.push_back(folder / "share" / "redtune");
        }
    }
    for (const char* folder : std::initializer_list<const char*>{REDTUNE_DATA_FOLDERS}) candidates.emplace_back(folder);
    if (const auto folder = user_data_home()) candidates.push_back(*folder / "redtune");
    std::istringstream folders(environment_variable("XDG_DATA_DIRS").value_or("/usr/local/share:/usr/share"));
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (Path(folder).is_absolute()) candidates.push_back(Path(folder) / "redtune");
    }
    if (candidates.empty()) candidates.emplace_back("/usr/share/redtune");
    return candidates;
}

}  // namespace

std::optional<Path> user_data_home() {
    const auto data = environment_variable("XDG_DATA_HOME");
    if (data && Path(*data).is_absolute()) return *data;
    if (const auto home = home_folder()) return *home / ".local" / "share";
    return std::nullopt;
}

Path system_data_folder() {
    if (const auto folder = environment_variable("REDTUNE_SYSTEM_DATA")) return *folder;
    return data_folder_for(library_folder());
}

Path data_folder_for(const Path& library_folder) {
    const std::vector<Path> candidates = data_folder_candidates(library_folder);
    const auto found = std::find_if(candidates.begin(), candidates.end(), holds_shipped_data);
    return found != candidates.end() ? *found : candidates.back();
}

}  // namespace redtune
