#pragma once

namespace CLI {
class App;
}

namespace redtune::cli {

/// Makes the help of a program, and of the commands that are added to it later, fit the terminal, as tables do
/// (table_columns()).
void fit_help(CLI::App& program);

}  // namespace redtune::cli
