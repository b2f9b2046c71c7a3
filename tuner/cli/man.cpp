#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "redtune/version.h"
#include "tuner/cli/command.h"
#include "tuner/cli/completion_tree.h"

namespace redtune::cli {

namespace {

/// Returns a text as troff shows it unchanged.
std::string troff(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const bool is_line_start = escaped.empty() || escaped.back() == '\n';
        if (is_line_start && (c == '.' || c == '\'')) escaped += "\\&";
        if (c == '\\') {
            escaped += "\\e";
        } else if (c == '-') {
            escaped += "\\-";
        } else {
            escaped += c;
        }
    }
    return escaped;
}

std::string option_paragraph(const CompletedOption& option) {
    std::string names;
    for (const std::string& name : option.names)
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", troff(name));
    return fmt::format(".TP\n{}{}\n{}\n", names, option.takes_value ? " \\fIVALUE\\fR" : "", troff(option.description));
}

std::string command_section(const CompletedCommand& command) {
    std::string synopsis = fmt::format("\\fB{}\\fR", troff(command.path));
    if (!command.subcommands.empty()) synopsis += " \\fICOMMAND\\fR";
    for (const CompletedArgument& argument : command.arguments) synopsis += fmt::format(" [\\fI{}\\fR]", argument.name);
    std::string text =
        fmt::format(".SS \"{}\"\n{} [options]\n.PP\n{}.\n", troff(command.path), synopsis, troff(command.description));
    for (const CompletedArgument& argument : command.arguments) {
        text += fmt::format(".TP\n\\fI{}\\fR\n{}\n", argument.name, troff(argument.description));
    }
    for (const CompletedOption& option : command.options) text += option_paragraph(option);
    return text;
}

std::string manual_page(const CLI::App& program) {
    const std::vector<CompletedCommand> commands = completed_commands(program);
    const CompletedCommand& first = commands.front();
    std::string page = fmt::format(
        ".TH REDTUNE 1 \"\" \"redtune {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n"
        ".SH SYNOPSIS\n\\fB{}\\fR \\fICOMMAND\\fR [options]\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n",
        REDTUNE_VERSION, first.path, troff("autotuner for GPU reductions"), first.path, troff(first.description));
    for (const CompletedCommand& command : commands) {
        if (&command != &first) page += command_section(command);
    }
    return page + fmt::format(".SH \"EXIT STATUS\"\n{}\n", troff(program.get_footer()));
}

}  // namespace

void add_man_command(CLI::App& app) {
    CLI::App* command = app.add_subcommand("man", "Prints the manual page of redtune")->group("");
    command->callback([&app] { std::cout << manual_page(app); });
}

}  // namespace redtune::cli
