#include "tests/support/command_line.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace redtune::cli {

Outcome run_command(const std::function<void(CLI::App&, int&)>& add, const std::vector<std::string>& arguments) {
    CLI::App app;
    Outcome outcome;
    add(app, outcome.exit_code);
    // CLI::App::parse() expects the arguments in reverse order.
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const auto collect = [&] {
        outcome.out = testing::internal::GetCapturedStdout();
        outcome.err = testing::internal::GetCapturedStderr();
    };
    try {
        app.parse(reversed);
    } catch (...) {
        collect();
        EXPECT_EQ(outcome.out, "") << "an error prints nothing on stdout";
        throw;
    }
    collect();
    return outcome;
}

}  // namespace redtune::cli
