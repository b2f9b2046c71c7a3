#pragma once

#include <span>
#include <string>

#include "tuner/cli/completion_tree.h"

namespace redtune::cli {

/// Return a script with which the shell completes the commands, options and values of the program. The first command
/// is the program itself.
std::string bash_completion(std::span<const CompletedCommand> commands);
std::string zsh_completion(std::span<const CompletedCommand> commands);
std::string fish_completion(std::span<const CompletedCommand> commands);

/// Returns the paths of all commands but the program itself, quoted and separated: "'redtune tune'|'redtune db list'".
std::string quoted_paths(std::span<const CompletedCommand> commands, std::string_view separator);

/// Returns a text in single quotes, which a POSIX shell reads as one word.
std::string shell_quoted(std::string_view text);

/// Returns all names of a list of options: "--output -o --db".
std::string all_names(std::span<const CompletedOption> options);

}  // namespace redtune::cli
