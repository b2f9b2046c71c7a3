#pragma once

namespace CLI {
class App;
}

namespace redtune::cli {

/// Adds the command `merge` to the command `db`.
void add_db_merge_command(CLI::App& database);

}  // namespace redtune::cli
