#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace redtune::cli {

/// An option of a command, as a shell completes it.
struct CompletedOption {
    std::vector<std::string> names;  ///< "--output", "-o"
    std::string description;
    bool takes_value = false;         ///< false: a flag
    bool takes_file = false;          ///< the value is the path of a file or a folder
    std::vector<std::string> values;  ///< the values that are known; empty: none or any
};

/// The name of a subcommand and its description.
struct CompletedSubcommand {
    std::string name;
    std::string description;
};

/// A command of the program, as a shell completes it.
struct CompletedCommand {
    std::string path;  ///< the words that call it: "redtune db list"
    std::string description;
    std::vector<CompletedSubcommand> subcommands;
    std::vector<CompletedOption> options;
    bool takes_files = false;            ///< an argument is the path of a file
    std::vector<std::string> arguments;  ///< the values of an argument that are known
};

/// Returns the commands of a program, each before its subcommands, without hidden ones.
std::vector<CompletedCommand> completed_commands(const CLI::App& program);

}  // namespace redtune::cli
