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

/// An argument of a command that is no option.
struct CompletedArgument {
    std::string name;  ///< "FILE"
    std::string description;
    bool takes_file = false;
    std::vector<std::string> values;  ///< the values that are known; empty: any
};

/// A command of the program, as a shell completes it.
struct CompletedCommand {
    std::string path;  ///< the words that call it: "redtune db list"
    std::string description;
    std::vector<CompletedSubcommand> subcommands;
    std::vector<CompletedOption> options;
    std::vector<CompletedArgument> arguments;
};

/// Returns whether an argument of the command is the path of a file.
bool takes_files(const CompletedCommand& command);
/// Returns the known values of the command's arguments.
std::vector<std::string> argument_values(const CompletedCommand& command);

/// Returns the commands of a program, each before its subcommands, without hidden ones.
std::vector<CompletedCommand> completed_commands(const CLI::App& program);

}  // namespace redtune::cli
