#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/layer.h"

namespace redtune::cli {

/// Returns the database files that a command reads: the file of --db; without --db, those that look-ups read. If there
/// is none, returns the user's file: opening it fails with a message that names the command which creates it.
std::vector<db::Layer> layers_to_read(const std::optional<std::string>& file);

}  // namespace redtune::cli
