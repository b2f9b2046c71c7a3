#include "tuner/cli/layers_to_read.h"

#include "db/location.h"
#include "tuner/cli/messages.h"

namespace redtune::cli {

std::vector<db::Layer> layers_to_read(const std::optional<std::string>& file) {
    std::vector<db::Layer> layers;
    if (file) {
        layers.push_back({"given", *file, db::Access::read_only});
    } else {
        layers = db::default_layers();
    }
    if (layers.empty()) layers.push_back({"user", db::user_database_path(), db::Access::read_only});
    for (const db::Layer& layer : layers) detail("reading {} ({})\n", layer.file.string(), layer.name);
    return layers;
}

}  // namespace redtune::cli
