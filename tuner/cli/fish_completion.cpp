#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tuner/cli/completion_script.h"

namespace redtune::cli {

namespace {

// {{ and }} stand for braces. {0}: the program; {1}: paths of commands; {2}: the completions.
constexpr std::string_view fish_script = R"sh(# Completion of {0} for fish, made by `{0} completion fish`.
function __{0}_command
    set -l command {0}
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
            case {1}
                set command "$command $word"
        end
    end
    echo $command
end
complete -c {0} -f
{2})sh";

/// Returns a text in single quotes, in which fish reads \\ and \' as one character.
std::string fish_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "'";
}

/// Returns the beginning of a completion that holds for one command.
std::string complete_for(const CompletedCommand& command, std::string_view program) {
    return fmt::format("complete -c {0} -n {1}", program,
                       fish_quoted(fmt::format("test (__{}_command) = \"{}\"", program, command.path)));
}

std::string option_line(const CompletedOption& option, const std::string& beginning) {
    std::string line = beginning;
    for (const std::string& name : option.names) {
        const bool is_long = name.starts_with("--");
        line += fmt::format(" -{} {}", is_long ? 'l' : 's', name.substr(is_long ? 2 : 1));
    }
    if (option.takes_value) line += option.takes_file ? " -r -F" : " -x";
    if (!option.values.empty()) line += " -a " + fish_quoted(fmt::format("{}", fmt::join(option.values, " ")));
    return line + " -d " + fish_quoted(option.description) + '\n';
}

}  // namespace

std::string fish_completion(std::span<const CompletedCommand> commands) {
    const std::string& program = commands.front().path;
    std::string lines;
    for (const CompletedCommand& command : commands) {
        const std::string beginning = complete_for(command, program);
        for (const CompletedSubcommand& each : command.subcommands) {
            lines += fmt::format("{} -a {} -d {}\n", beginning, each.name, fish_quoted(each.description));
        }
        const std::vector<std::string> values = argument_values(command);
        if (!values.empty()) {
            lines += fmt::format("{} -a {}\n", beginning, fish_quoted(fmt::format("{}", fmt::join(values, " "))));
        }
        if (takes_files(command)) lines += beginning + " -F\n";
        for (const CompletedOption& option : command.options) lines += option_line(option, beginning);
    }
    return fmt::format(fish_script, program, quoted_paths(commands, " "), lines);
}

}  // namespace redtune::cli
