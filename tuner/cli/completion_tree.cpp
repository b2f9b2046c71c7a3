#include "tuner/cli/completion_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "tuner/cli/option_values.h"

namespace redtune::cli {

namespace {

/// Returns the values that CLI::IsMember allows. CLI11 shows them as a part of the option's type: "TEXT:{json,csv}".
std::vector<std::string> checked_values(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t begin = type.find(":{");
    const std::size_t end = type.find('}', begin);
    if (begin == std::string::npos || end == std::string::npos) return {};
    std::istringstream list(type.substr(begin + 2, end - begin - 2));
    std::vector<std::string> values;
    for (std::string value; std::getline(list, value, ',');) values.push_back(value);
    return values;
}

std::vector<std::string> values_of(const CLI::Option& option, const std::string& name) {
    std::vector<std::string> values = checked_values(option);
    return values.empty() ? option_values(name) : values;
}

CompletedOption completed(const CLI::Option& option) {
    CompletedOption made;
    for (const std::string& name : option.get_lnames()) made.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) made.names.push_back("-" + name);
    made.description = option.get_description();
    made.takes_value = option.get_items_expected_min() > 0;
    if (!made.takes_value) return made;
    // --output is a type where it has no short name, and a file where it is also called -o.
    const std::string name = option.get_snames().empty() ? made.names.front() : made.names.back();
    made.takes_file = takes_file(name);
    made.values = values_of(option, name);
    return made;
}

void add(const CLI::App& command, const std::string& parent, std::vector<CompletedCommand>& commands) {
    CompletedCommand made;
    made.path = parent.empty() ? command.get_name() : parent + ' ' + command.get_name();
    made.description = command.get_description();
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional()) {
            const std::string name = option->get_name(true);
            made.arguments.push_back({name, option->get_description(), takes_file(name), values_of(*option, name)});
        } else {
            made.options.push_back(completed(*option));
        }
    }
    std::vector<const CLI::App*> visible;
    for (const CLI::App* each :
         command.get_subcommands([](const CLI::App* app) { return !app->get_group().empty(); })) {
        visible.push_back(each);
        made.subcommands.push_back({each->get_name(), each->get_description()});
    }
    const std::string path = made.path;
    commands.push_back(std::move(made));
    for (const CLI::App* each : visible) add(*each, path, commands);
}

}  // namespace

bool takes_files(const CompletedCommand& command) {
    return std::any_of(command.arguments.begin(), command.arguments.end(),
                       [](const CompletedArgument& argument) { return argument.takes_file; });
}

std::vector<std::string> argument_values(const CompletedCommand& command) {
    std::vector<std::string> values;
    for (const CompletedArgument& argument : command.arguments) {
        values.insert(values.end(), argument.values.begin(), argument.values.end());
    }
    return values;
}

std::vector<CompletedCommand> completed_commands(const CLI::App& program) {
    std::vector<CompletedCommand> commands;
    add(program, "", commands);
    return commands;
}

}  // namespace redtune::cli
