#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tuner/cli/completion_script.h"

namespace redtune::cli {

namespace {

// {{ and }} stand for braces. {0}: the program; {1}: paths of commands; {2}: cases of options; {3}: cases of commands.
constexpr std::string_view zsh_script = R"sh(#compdef {0}
# Completion of {0} for zsh, made by `{0} completion zsh`.
_{0}() {{
    local command={0} files=0
    local -i i
    local -a options commands
    for ((i = 2; i < CURRENT; ++i)); do
        case "$command ${{words[i]}}" in
            {1}) command+=" ${{words[i]}}" ;;
        esac
    done
    # --op=sum is one word: the option and its value.
    local option="${{words[CURRENT - 1]}}"
    if [[ ${{words[CURRENT]}} == --*=* ]]; then
        option="${{words[CURRENT]%%=*}}"
        compset -P '*='
    fi
    case "$command $option" in
{2}    esac
    case "$command" in
{3}    esac
    if [[ ${{words[CURRENT]}} == -* ]]; then
        _describe -o option options
    else
        (( ${{#commands}} )) && _describe command commands
        (( files )) && _files
        return 0
    fi
}}
if [[ $funcstack[1] == _{0} ]]; then
    _{0} "$@"
else
    compdef _{0} {0}
fi
)sh";

/// Returns an element of an array for _describe: 'name:description'.
std::string described(std::string_view name, std::string_view description) {
    std::string escaped;
    for (const char c : name) escaped += c == ':' ? "\\:" : std::string(1, c);
    return shell_quoted(fmt::format("{}:{}", escaped, description));
}

std::string zsh_option_case(const CompletedCommand& command, const CompletedOption& option) {
    std::string pattern;
    for (const std::string& name : option.names) {
        pattern += (pattern.empty() ? "" : "|") + shell_quoted(command.path + ' ' + name);
    }
    std::string action;
    if (!option.values.empty()) {
        action += "compset -P '*,'; compadd --";
        for (const std::string& value : option.values) action += ' ' + shell_quoted(value);
        action += "; ";
    }
    if (option.takes_file) action += "_files; ";
    return fmt::format("        {}) {}return ;;\n", pattern, action);
}

std::string command_case(const CompletedCommand& command) {
    std::string options;
    for (const CompletedOption& option : command.options) {
        for (const std::string& name : option.names) options += ' ' + described(name, option.description);
    }
    std::string subcommands;
    for (const CompletedSubcommand& each : command.subcommands)
        subcommands += ' ' + described(each.name, each.description);
    for (const std::string& value : argument_values(command)) subcommands += ' ' + shell_quoted(value);
    return fmt::format("        {})\n            options=({} )\n            commands=({} )\n            files={} ;;\n",
                       shell_quoted(command.path), options, subcommands, takes_files(command) ? 1 : 0);
}

}  // namespace

std::string zsh_completion(std::span<const CompletedCommand> commands) {
    std::string options;
    std::string words;
    for (const CompletedCommand& command : commands) {
        for (const CompletedOption& option : command.options) {
            if (option.takes_value) options += zsh_option_case(command, option);
        }
        words += command_case(command);
    }
    return fmt::format(zsh_script, commands.front().path, quoted_paths(commands, "|"), options, words);
}

}  // namespace redtune::cli
