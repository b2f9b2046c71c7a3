#include "tuner/cli/unknown_argument.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

#include "tuner/core/named.h"
#include "tuner/core/nearest_name.h"

namespace redtune::cli {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& command) {
    return command.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

/// Returns the words with which a command is called: "redtune db list".
std::string full_name(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

/// An option that users know from another command or an earlier version, and the option here that does the same.
struct OptionSynonym {
    std::string_view typed;
    std::string_view option;
};
constexpr std::array option_synonyms = {
    OptionSynonym{"--size", "--n"},      OptionSynonym{"--size", "--bytes"},  OptionSynonym{"--n", "--size"},
    OptionSynonym{"--n", "--bytes"},     OptionSynonym{"--bytes", "--size"},  OptionSynonym{"--bytes", "--n"},
    OptionSynonym{"--type", "--dtype"},  OptionSynonym{"--operator", "--op"}, OptionSynonym{"--gpu", "--device"},
    OptionSynonym{"--database", "--db"}, OptionSynonym{"--json", "--format"}, OptionSynonym{"--csv", "--format"},
    OptionSynonym{"--md", "--format"},   OptionSynonym{"--rows", "--shape"}};

std::string suggest_option(const std::string& typed, const std::vector<std::string>& names) {
    for (const OptionSynonym& synonym : option_synonyms) {
        const bool is_there = std::find(names.begin(), names.end(), synonym.option) != names.end();
        if (synonym.typed == typed && is_there) return fmt::format("; did you mean '{}'?", synonym.option);
    }
    return did_you_mean(typed, names);
}

std::string unknown_option(const CLI::App& command, const std::string& name) {
    // Treats -n as --n, because people type one dash for two.
    const std::string wanted = "--" + name.substr(std::min(name.find_first_not_of('-'), name.size()));
    return fmt::format("{} has no option {}; `{} --help` lists those it has{}", command.get_name(), name,
                       full_name(command), suggest_option(wanted, option_names(command)));
}

std::string unknown_command(const CLI::App& command, const std::string& name) {
    std::vector<std::string> names;
    for (const CLI::App* each : commands_of(command)) {
        if (!each->get_group().empty()) names.push_back(each->get_name());  // commands without a group are hidden
    }
    return fmt::format("there is no command '{}'; allowed are {} (`{} --help` says what each does){}", name,
                       fmt::join(names, ", "), full_name(command), did_you_mean(name, names));
}

bool is_option(const std::string& argument) {
    return argument.size() > 1 && argument[0] == '-' && (argument[1] < '0' || argument[1] > '9');
}

}  // namespace

std::optional<std::string> explain_unknown_argument(const CLI::App& app, const std::vector<std::string>& arguments) {
    const CLI::App* command = &app;
    for (const std::string& argument : arguments) {
        // A command with prefix_command() passes its arguments on to another program, which knows its own options.
        if (argument == "--" || command->get_prefix_command()) break;
        if (is_option(argument)) {
            const std::string name = argument.substr(0, argument.find('='));
            if (command->get_option_no_throw(name) == nullptr) return unknown_option(*command, name);
            continue;
        }
        const std::vector<const CLI::App*> commands = commands_of(*command);
        if (commands.empty()) continue;  // a command without subcommands takes it as a value
        const auto found = std::find_if(commands.begin(), commands.end(),
                                        [&](const CLI::App* each) { return each->check_name(argument); });
        if (found == commands.end()) return unknown_command(*command, argument);
        command = *found;
    }
    return std::nullopt;
}

std::string suggest_value(const std::string& message) {
    static const std::regex not_in_list(R"(([^ ]+): (.*) not in \{(.*)\})");
    std::smatch parts;
    if (!std::regex_match(message, parts, not_in_list)) return message;
    std::istringstream list(parts[3]);
    std::vector<std::string> values;
    for (std::string value; std::getline(list, value, ',');) values.push_back(value);
    return fmt::format("{}: {}", parts[1].str(), unknown_name("value", parts[2].str(), values));
}

}  // namespace redtune::cli
