#include "db/location.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "redtune/error.h"
#include "tuner/core/environment.h"
#include "tuner/core/library_folder.h"

namespace redtune::db {

namespace {

using Path = std::filesystem::path;

constexpr std::string_view winners_suffix = ".winners.db";
constexpr std::string_view recording_suffix = ".recording.db";

std::optional<Path> home_folder() {
    if (const auto home = environment_variable("HOME")) return *home;
    if (const passwd* user = getpwuid(getuid()); user != nullptr && user->pw_dir != nullptr) return user->pw_dir;
    return std::nullopt;
}

/// Returns the folder of the user's data, as the XDG Base Directory Specification defines it. Relative paths must be
/// ignored, says the specification.
std::optional<Path> data_home() {
    const auto data = environment_variable("XDG_DATA_HOME");
    if (data && Path(*data).is_absolute()) return *data;
    if (const auto home = home_folder()) return *home / ".local" / "share";
    return std::nullopt;
}

std::vector<Path> files_with_suffix(const Path& folder, std::string_view suffix) {
    std::vector<Path> found;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        if (entry.path().filename().string().ends_with(suffix)) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool holds_shipped_data(const Path& folder) {
    return !files_with_suffix(folder, winners_suffix).empty() || !files_with_suffix(folder, recording_suffix).empty();
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
    if (const auto folder = data_home()) candidates.push_back(*folder / "redtune");
    std::istringstream folders(environment_variable("XDG_DATA_DIRS").value_or("/usr/local/share:/usr/share"));
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (Path(folder).is_absolute()) candidates.push_back(Path(folder) / "redtune");
    }
    if (candidates.empty()) candidates.emplace_back("/usr/share/redtune");
    return candidates;
}

}  // namespace

Path user_database_path() {
    if (const auto file = environment_variable("REDTUNE_DB")) return *file;
    if (const auto folder = data_home()) return *folder / "redtune" / "redtune.db";
    throw DatabaseError("no home folder is known to keep the database in; set REDTUNE_DB to a file, or HOME");
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

std::vector<Path> winners_files(const Path& folder) {
    return files_with_suffix(folder, winners_suffix);
}

std::vector<Recording> recordings_in(const Path& folder) {
    std::vector<Recording> found;
    for (const Path& file : files_with_suffix(folder, recording_suffix)) {
        std::string name = file.filename().string();
        name.resize(name.size() - recording_suffix.size());
        found.push_back({std::move(name), file});
    }
    return found;
}

std::vector<Recording> recordings() {
    return recordings_in(system_data_folder());
}

}  // namespace redtune::db
