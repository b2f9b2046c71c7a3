#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <iostream>
#include <memory>
#include <string>

#include "tuner/cli/command.h"
#include "tuner/cli/completion_script.h"
#include "tuner/cli/known_names.h"

namespace redtune::cli {

namespace {

/// A shell with the function that makes its script.
struct Shell {
    const char* name;
    std::string (*script)(std::span<const CompletedCommand>);
};

constexpr std::array shells = {Shell{"bash", bash_completion}, Shell{"zsh", zsh_completion},
                               Shell{"fish", fish_completion}};

std::vector<std::string> shell_names() {
    std::vector<std::string> names;
    for (const Shell& shell : shells) names.emplace_back(shell.name);
    return names;
}

void print_script(const CLI::App& program, const std::string& name) {
    known_name("SHELL", name, shell_names(), "has no completion");
    const std::vector<CompletedCommand> commands = completed_commands(program);
    for (const Shell& shell : shells) {
        if (shell.name == name) std::cout << shell.script(commands);
    }
}

}  // namespace

void add_completion_command(CLI::App& app) {
    const auto shell = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("completion", "Prints a script with which a shell completes command lines");
    command->add_option("SHELL", *shell, fmt::format("{}", fmt::join(shell_names(), ", ")))->required();
    command->footer(
        "For bash: eval \"$(redtune completion bash)\" in ~/.bashrc\n"
        "For zsh: redtune completion zsh > FOLDER/_redtune, where FOLDER is one of $fpath\n"
        "For fish: redtune completion fish > ~/.config/fish/completions/redtune.fish");
    command->callback([&app, shell] { print_script(app, *shell); });
}

}  // namespace redtune::cli
