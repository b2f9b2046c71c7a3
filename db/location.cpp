#include "db/location.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "redtune/error.h"
#include "tuner/core/environment.h"
#include "tuner/core/program_folder.h"

namespace redtune::db {

namespace {

using Path = std::filesystem::path;

constexpr std::string_view winners_suffix = ".winners.db";
constexpr std::string_view recording_suffix = ".recording.db";

Path home_folder() {
    if (const auto home = environment_variable("HOME")) return *home;
    if (const passwd* user = getpwuid(getuid()); user != nullptr && user->pw_dir != nullptr) return user->pw_dir;
    throw DatabaseError("no home folder is known to keep the database in; set REDTUNE_DB to a file, or HOME");
}

bool is_folder(const Path& path) {
    std::error_code none;
    return std::filesystem::is_directory(path, none);
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

}  // namespace

Path user_database_path() {
    if (const auto file = environment_variable("REDTUNE_DB")) return *file;
    // The XDG Base Directory Specification says that relative paths must be ignored.
    const auto data = environment_variable("XDG_DATA_HOME");
    const Path folder = data && Path(*data).is_absolute() ? Path(*data) : home_folder() / ".local" / "share";
    return folder / "redtune" / "redtune.db";
}

Path system_data_folder() {
    if (const auto folder = environment_variable("REDTUNE_SYSTEM_DATA")) return *folder;
    return data_folder_for(program_folder());
}

Path data_folder_for(const Path& program_folder) {
    // Without /proc the path of the program's folder is empty, and a path below it would be relative to the working
    // directory.
    if (!program_folder.empty()) {
        for (const Path& folder : {program_folder, program_folder.parent_path()}) {
            if (Path data = folder / "share" / "redtune"; is_folder(data)) return data;
        }
    }
    if (is_folder(REDTUNE_INSTALLED_DATA)) return REDTUNE_INSTALLED_DATA;
    return REDTUNE_BUILD_DATA;
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
