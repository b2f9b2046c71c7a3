#include "db/location.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "redtune/error.h"
#include "tuner/core/environment.h"

namespace redtune::db {

namespace {

using Path = std::filesystem::path;

constexpr std::string_view winners_suffix = ".winners.db";
constexpr std::string_view recording_suffix = ".recording.db";
constexpr std::string_view comparison_suffix = ".bench.csv";

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
    if (const auto folder = user_data_home()) return *folder / "redtune" / "redtune.db";
    throw DatabaseError("no home folder is known to keep the database in; set REDTUNE_DB to a file, or HOME");
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

std::vector<Path> comparison_files(const Path& folder) {
    return files_with_suffix(folder, comparison_suffix);
}

std::vector<Recording> recordings() {
    return recordings_in(system_data_folder());
}

}  // namespace redtune::db
