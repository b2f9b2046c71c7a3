#pragma once

namespace CLI {
class App;
}

namespace redtune::cli {

/// Adds the command `export` to the command `db`.
void add_db_export_command(CLI::App& database);

}  // namespace redtune::cli
