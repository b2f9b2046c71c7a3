#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <sstream>
#include <utility>

#include "redtune/error.h"
#include "tuner/cli/colour.h"
#include "tuner/cli/command.h"
#include "tuner/cli/standard_output.h"
#include "tuner/cli/terminal.h"
#include "tuner/cli/unknown_argument.h"
#include "tuner/cli/wrap.h"

namespace redtune::cli {

namespace {

int exit_code_of(const std::exception& error) {
    if (dynamic_cast<const InputError*>(&error) != nullptr) return usage;
    if (dynamic_cast<const DeviceError*>(&error) != nullptr) return no_device;
    return failed;
}

/// Prints a message on stderr, preceded by the program's name. Breaks long lines after commas and semicolons, because
/// most long lines are lists of names.
void print_message(const CLI::App& app, const std::string& message) {
    constexpr std::size_t longest_line = 200;
    const std::size_t broken_line = table_columns(STDERR_FILENO);
    const std::string program = app.get_name() + ":";
    bool is_first = true;
    std::istringstream lines(program + " " + message);
    for (std::string line; std::getline(lines, line);) {
        const bool is_long = display_width(line) > longest_line;
        for (const std::string& part : wrap(line, is_long ? broken_line : line.size(), ",;")) {
            const std::size_t named = std::exchange(is_first, false) && part.starts_with(program) ? program.size() : 0;
            fmt::print(stderr, "{}{}\n", styled(part.substr(0, named), Style::bad, STDERR_FILENO), part.substr(named));
        }
    }
}

int report(const CLI::App& app, const std::exception& error) {
    print_message(app, error.what());
    return exit_code_of(error);
}

/// Prints the help if the arguments ask for it, else why the arguments cannot be parsed.
/// @return the exit code
int report_parse(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        app.exit(error);
        return done;
    }
    if (const auto explanation = explain_unknown_argument(app, arguments)) {
        print_message(app, *explanation);
    } else if (std::string suggestion = suggest_value(error.what()); suggestion != error.what()) {
        print_message(app, suggestion);
    } else {
        app.exit(error);
    }
    return usage;
}

int parse_and_work(CLI::App& app, int argc, char** argv, const std::function<int()>& work) {
    try {
        app.parse(argc, argv);
        return work();
    } catch (const CLI::ParseError& error) {
        return report_parse(app, error, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
    } catch (const std::exception& error) {
        return report(app, error);
    }
}

}  // namespace

int run_program(CLI::App& app, int argc, char** argv, const std::function<int()>& work) {
    occupy_closed_streams();
    const int exit_code = parse_and_work(app, argc, argv, work);
    try {
        finish_output();
    } catch (const Error& error) {
        return report(app, error);
    }
    return exit_code;
}

}  // namespace redtune::cli
