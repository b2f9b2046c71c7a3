#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <CLI/Error.hpp>
#include <filesystem>

#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Runs the command as on a machine that has a GPU.
Outcome bench(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    return run_command(
        [](CLI::App& app, int& exit_code) { add_bench_command(app, exit_code, [] { return std::string(); }); },
        arguments);
}

/// Runs the command as on a machine that has no GPU.
Outcome bench_without_gpu(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    return run_command(
        [](CLI::App& app, int& exit_code) {
            add_bench_command(app, exit_code, [] { return std::string("no driver is installed"); });
        },
        arguments);
}

class BenchCommand : public testing::Test {
  protected:
    /// Creates a program that prints its arguments, one per line, and exits with code 7. Returns its path.
    std::filesystem::path make_program(const std::string& name) {
        const std::filesystem::path program = folder_ / name;
        db::write_file(program,
                       "#!/bin/sh\nprintf '%s\\n' \"$@\" >'" + (folder_ / "arguments").string() + "'\nexit 7\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        return program;
    }

    /// Runs the command in a child process, which then executes redtune-bench. Returns the exit code of the process.
    int exit_code_of(const std::vector<std::string>& arguments) {
        const int process = db::start_process([&] { bench(arguments); });
        int status = 0;
        waitpid(process, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable path_{"PATH", folder_.path().c_str()};
    db::ScopedVariable given_{"REDTUNE_BENCH_PROGRAM", nullptr};
};

TEST_F(BenchCommand, ExecutesTheProgramOnPathWithTheSameArgumentsAndExitCode) {
    make_program("redtune-bench");
    EXPECT_EQ(exit_code_of({"--op", "sum,max", "--bytes=1Ki..4Ki", "--format", "csv", "--offset", "0,1"}), 7);
    EXPECT_EQ(db::read_file(folder_ / "arguments"), "--op\nsum,max\n--bytes=1Ki..4Ki\n--format\ncsv\n--offset\n0,1\n");
}

TEST_F(BenchCommand, TheEnvironmentVariableIsPreferredToPath) {
    db::write_file(folder_ / "redtune-bench", "#!/bin/sh\nexit 8\n");
    std::filesystem::permissions(folder_ / "redtune-bench", std::filesystem::perms::owner_all);
    const db::ScopedVariable given("REDTUNE_BENCH_PROGRAM", make_program("other name").c_str());
    EXPECT_EQ(exit_code_of({}), 7);
}

TEST_F(BenchCommand, AVariableThatNamesNoProgramIsRefused) {
    make_program("redtune-bench");
    for (const std::filesystem::path& wrong : {folder_ / "nothing", folder_.path()}) {
        const db::ScopedVariable given("REDTUNE_BENCH_PROGRAM", wrong.c_str());
        EXPECT_THAT([] { bench({}); },
                    ThrowsMessage<InputError>(AllOf(HasSubstr(wrong.string()), HasSubstr("or unset it"))));
    }
}

TEST_F(BenchCommand, WithoutTheProgramItSaysHowToBuildIt) {
    EXPECT_THAT([] { bench({}); }, ThrowsMessage<Error>(AllOf(HasSubstr("there is no redtune-bench"),
                                                              HasSubstr("-DREDTUNE_BENCH=ON"), HasSubstr("nvcc"))));
}

TEST_F(BenchCommand, AFileThatIsNotExecutableIsNoProgram) {
    db::write_file(folder_ / "redtune-bench", "#!/bin/sh\n");
    EXPECT_THROW(bench({}), Error);
}

TEST_F(BenchCommand, WithoutAGpuItSaysSoBeforeItLooksForTheProgram) {
    make_program("redtune-bench");
    const db::ScopedVariable no_program("REDTUNE_BENCH_PROGRAM", (folder_ / "nothing").c_str());
    EXPECT_THAT([] { bench_without_gpu({}); },
                ThrowsMessage<DeviceError>(
                    AllOf(HasSubstr("needs a GPU"), HasSubstr("no driver is installed"), HasSubstr("redtune doctor"))));
    EXPECT_EQ(bench_without_gpu({"--help"}).exit_code, done);
    EXPECT_THROW(bench_without_gpu({"--op", "any"}), InputError) << "wrong input is refused first";
}

TEST_F(BenchCommand, HelpAndWrongOptionsNeedNoProgram) {
    const Outcome help = bench({"--help"});
    EXPECT_EQ(help.exit_code, done);
    EXPECT_THAT(help.out, AllOf(HasSubstr("redtune bench"), HasSubstr("--cub-determinism"), HasSubstr("--offset")));
    EXPECT_THAT(
        [] {
            bench({"--dtyp", "f32"});
        },
        ThrowsMessage<InputError>(AllOf(HasSubstr("bench has no option --dtyp"), HasSubstr("mean '--dtype'?"))));
    EXPECT_THAT(
        [] {
            bench({"--op", "any"});
        },
        ThrowsMessage<InputError>(HasSubstr("allowed are sum, product, min, max")));
}

}  // namespace
}  // namespace redtune::cli
