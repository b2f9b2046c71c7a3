#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <utility>

#include "tuner/cli/colour.h"
#include "tuner/cli/command.h"
#include "tuner/cli/doctor_checks.h"
#include "tuner/cli/terminal.h"
#include "tuner/cli/wrap.h"

namespace redtune::cli {

namespace {

Style style_of(CheckState state) {
    return state == CheckState::ok ? Style::good : state == CheckState::warning ? Style::warning : Style::bad;
}

void print_list(const std::vector<Check>& checks) {
    const std::size_t columns = table_columns(STDOUT_FILENO);
    const auto print = [columns](const std::string& label, const std::string& text) {
        fmt::print("{}\n", wrap_after_label(label, text, columns));
    };
    for (const Check& check : checks) {
        const std::string_view state = check_state_name(check.state);
        const std::string lines =
            wrap_after_label(fmt::format("{:<8} {:<15} ", state, check.name), check.found, columns);
        fmt::print("{}{}\n", styled(state, style_of(check.state), STDOUT_FILENO), lines.substr(state.size()));
        if (!check.cost.empty()) print(fmt::format("{:>24} ", "effect:"), check.cost);
        const char* label = "remedy:";
        for (const std::string& remedy : check.remedies) {
            print(fmt::format("{:>24} ", std::exchange(label, "or:")), remedy);
        }
    }
}

Table as_table(const std::vector<Check>& checks) {
    Table table({{"check"}, {"state"}, {"found"}, {"cost"}, {"remedy"}});
    for (const Check& check : checks) {
        table.add({check.name, std::string(check_state_name(check.state)), check.found, check.cost,
                   fmt::format("{}", fmt::join(check.remedies, "; or "))});
    }
    return table;
}

int run(Format format) {
    const std::vector<Check> checks = run_checks();
    if (format == Format::table) {
        print_list(checks);
    } else {
        as_table(checks).print(std::cout, format);
    }
    int exit_code = done;
    for (const Check& check : checks) {
        if (check.state != CheckState::missing) continue;
        if (check.for_launches) return no_device;
        exit_code = failed;
    }
    return exit_code;
}

}  // namespace

void add_doctor_command(CLI::App& app, int& exit_code) {
    auto format = std::make_shared<Format>(Format::table);
    CLI::App* command =
        app.add_subcommand("doctor", "Checks what tuning needs: what is installed, what is missing, how to get it");
    add_format_option(*command, *format);
    command->callback([format, &exit_code] { exit_code = run(*format); });
}

}  // namespace redtune::cli
