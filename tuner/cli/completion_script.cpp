#include "tuner/cli/completion_script.h"

namespace redtune::cli {

std::string shell_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

std::string quoted_paths(std::span<const CompletedCommand> commands, std::string_view separator) {
    std::string paths;
    for (const CompletedCommand& command : commands.subspan(1)) {
        if (!paths.empty()) paths += separator;
        paths += shell_quoted(command.path);
    }
    return paths;
}

std::string all_names(std::span<const CompletedOption> options) {
    std::string names;
    for (const CompletedOption& option : options) {
        for (const std::string& name : option.names) names += (names.empty() ? "" : " ") + name;
    }
    return names;
}

}  // namespace redtune::cli
