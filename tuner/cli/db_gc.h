#pragma once

namespace CLI {
class App;
}

namespace redtune::cli {

/// Adds the command `gc` to the command `db`.
void add_db_gc_command(CLI::App& database);

}  // namespace redtune::cli
