#pragma once

namespace CLI {
class App;
}

namespace redtune::cli {

/// Adds the command `diff` to the command `db`.
void add_db_diff_command(CLI::App& database);

}  // namespace redtune::cli
