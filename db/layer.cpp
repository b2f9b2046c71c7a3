#include "db/layer.h"

#include <system_error>

#include "db/location.h"

namespace redtune::db {

std::vector<Layer> layers(const std::filesystem::path& user_database, const std::filesystem::path& system_data) {
    std::vector<Layer> found;
    std::error_code none;
    if (std::filesystem::exists(user_database, none)) found.push_back({"user", user_database, Access::read_only});
    for (const auto& file : winners_files(system_data)) found.push_back({"shipped", file, Access::immutable});
    return found;
}

std::vector<Layer> default_layers() {
    return layers(user_database_path(), system_data_folder());
}

}  // namespace redtune::db
