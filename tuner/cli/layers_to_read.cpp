#include "tuner/cli/layers_to_read.h"

#include "db/location.h"

namespace redtune::cli {

std::vector<db::Layer> layers_to_read(const std::optional<std::string>& file) {
    if (file) return {{"given", *file, db::Access::read_only}};
    std::vector<db::Layer> layers = db::default_layers();
    if (layers.empty()) layers.push_back({"user", db::user_database_path(), db::Access::read_only});
    return layers;
}

}  // namespace redtune::cli
