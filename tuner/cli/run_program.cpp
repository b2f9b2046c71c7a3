#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "redtune/error.h"
#include "tuner/cli/command.h"

namespace redtune::cli {

namespace {

int exit_code_of(const std::exception& error) {
    if (dynamic_cast<const InputError*>(&error) != nullptr) return usage;
    if (dynamic_cast<const DeviceError*>(&error) != nullptr) return no_device;
    return failed;
}

}  // namespace

int run_program(CLI::App& app, int argc, char** argv, const std::function<int()>& work) {
    try {
        app.parse(argc, argv);
        return work();
    } catch (const CLI::ParseError& error) {
        const bool is_help = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
        app.exit(error);
        return is_help ? done : usage;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
        return exit_code_of(error);
    }
}

}  // namespace redtune::cli
