#include "tuner/cli/standard_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tests/support/database_fixture.h"
#include "tuner/cli/command.h"

namespace redtune::cli {
namespace {

int run(const std::function<int()>& work) {
    CLI::App app("", "redtune");
    std::string name = "redtune";
    char* arguments[] = {name.data(), nullptr};
    return run_program(app, 1, arguments, work);
}

int print_and_succeed() {
    std::cout << "a result\n";
    return done;
}

void redirect_stdout_to_full_disk() {
    dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
}

// Each test runs in a process of its own, because a process cannot restore a stdout that has failed.
TEST(StandardOutputDeathTest, AFullDiskIsAFailure) {
    const std::string message = "redtune: the output could not be written to stdout: No space left on device";
    EXPECT_EXIT((redirect_stdout_to_full_disk(), std::exit(run(print_and_succeed))), ::testing::ExitedWithCode(failed),
                message);
    const auto print_much = [] {
        for (int i = 0; i < 100'000; ++i) std::cout << "a line of a long result\n";
        return done;
    };
    EXPECT_EXIT((redirect_stdout_to_full_disk(), std::exit(run(print_much))), ::testing::ExitedWithCode(failed),
                "the output could not be written");
    const auto print_with_fmt = [] {
        fmt::print("a result\n");
        return done;
    };
    EXPECT_EXIT((redirect_stdout_to_full_disk(), std::exit(run(print_with_fmt))), ::testing::ExitedWithCode(failed),
                message);
}

TEST(StandardOutputDeathTest, ClosedStdoutIsAFailureIfSomethingIsPrinted) {
    EXPECT_EXIT((close(STDOUT_FILENO), std::exit(run(print_and_succeed))), ::testing::ExitedWithCode(failed),
                "the output could not be written to stdout: Bad file descriptor");
    EXPECT_EXIT((close(STDOUT_FILENO), std::exit(run([] { return nothing_found; }))),
                ::testing::ExitedWithCode(nothing_found), "");
}

TEST(StandardOutputDeathTest, AFileThatIsOpenedDoesNotReplaceClosedStdout) {
    const db::TemporaryFolder folder;
    const std::string path = folder / "database";
    const auto open_and_print = [&] {
        std::ofstream file(path);
        file << "data" << std::flush;
        return print_and_succeed();
    };
    EXPECT_EXIT((close(STDOUT_FILENO), std::exit(run(open_and_print))), ::testing::ExitedWithCode(failed), "");
    EXPECT_EQ(db::read_file(path), "data");
}

TEST(StandardOutputDeathTest, SuccessfulOutputIsNoFailure) {
    const auto to_null = [] { dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO); };
    EXPECT_EXIT((to_null(), std::exit(run(print_and_succeed))), ::testing::ExitedWithCode(done), "");
}

}  // namespace
}  // namespace redtune::cli
