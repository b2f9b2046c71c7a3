#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tuner/cli/completion_script.h"

namespace redtune::cli {

namespace {

// {{ and }} stand for braces. {0}: the program; {1}: paths of commands; {2}: cases of options; {3}: cases of commands.
constexpr std::string_view bash_script = R"sh(# Completion of {0} for bash, made by `{0} completion bash`.
_{0}() {{
    local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD - 1]}}" command={0} i
    # bash divides --op=sum into three words.
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev="${{COMP_WORDS[COMP_CWORD - 2]}}"
    fi
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$command ${{COMP_WORDS[i]}}" in
            {1}) command+=" ${{COMP_WORDS[i]}}" ;;
        esac
    done
    local values= files= options= commands=
    case "$command $prev" in
{2}    esac
    if [[ -n $values$files ]]; then
        # The last element of a list is completed: f16,f
        local list=
        [[ $cur == *,* ]] && list="${{cur%,*}},"
        mapfile -t COMPREPLY < <(compgen -P "$list" -W "${{values# }}" -- "${{cur##*,}}"; [[ -z $files ]] || compgen -f -- "$cur")
        return
    fi
    case "$command" in
{3}    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
    else
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$cur"; [[ -z $files ]] || compgen -f -- "$cur")
    fi
}}
complete -o filenames -o bashdefault -F _{0} {0}
)sh";

/// Returns the case of one option: its values, or an empty list that stands for any value.
std::string option_case(const CompletedCommand& command, const CompletedOption& option) {
    std::string pattern;
    for (const std::string& name : option.names) {
        pattern += (pattern.empty() ? "" : "|") + shell_quoted(command.path + ' ' + name);
    }
    // A leading space: the value is known to be none of the options and commands, even if there is no list.
    return fmt::format("        {}) values={}{} ;;\n", pattern,
                       shell_quoted(fmt::format(" {}", fmt::join(option.values, " "))),
                       option.takes_file ? " files=1" : "");
}

}  // namespace

std::string bash_completion(std::span<const CompletedCommand> commands) {
    std::string options;
    std::string words;
    for (const CompletedCommand& command : commands) {
        for (const CompletedOption& option : command.options) {
            if (option.takes_value) options += option_case(command, option);
        }
        std::vector<std::string> names = argument_values(command);
        for (const CompletedSubcommand& each : command.subcommands) names.push_back(each.name);
        words += fmt::format("        {}) commands={} options={}{} ;;\n", shell_quoted(command.path),
                             shell_quoted(fmt::format("{}", fmt::join(names, " "))),
                             shell_quoted(all_names(command.options)), takes_files(command) ? " files=1" : "");
    }
    return fmt::format(bash_script, commands.front().path, quoted_paths(commands, "|"), options, words);
}

}  // namespace redtune::cli
