#pragma once

namespace CLI {
class App;
}

namespace redtune::cli {

/// Adds the command `import` to the command `db`. If a line is rejected, its callback sets `exit_code` to `failed`.
void add_db_import_command(CLI::App& database, int& exit_code);

}  // namespace redtune::cli
