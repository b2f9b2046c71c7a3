#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/cli/command.h"

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Ended {
    int exit_code = 0;
    std::string err;
};

/// Runs the program with a few of its commands in the same way as main().
Ended run(std::vector<std::string> arguments) {
    CLI::App app("", "redtune");
    int exit_code = done;
    app.require_subcommand(1);
    add_tune_command(app, exit_code);
    add_query_command(app, exit_code);
    add_db_command(app, exit_code);
    add_worker_command(app);
    arguments.insert(arguments.begin(), "redtune");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    testing::internal::CaptureStderr();
    const int ended = run_program(app, static_cast<int>(arguments.size()), argv.data(), [&] { return exit_code; });
    return {ended, testing::internal::GetCapturedStderr()};
}

std::size_t longest_line(const std::string& text) {
    std::istringstream lines(text);
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
    return longest;
}

TEST(RunProgram, AnUnknownCommandOrOptionGetsASuggestion) {
    const auto refused = [](const std::vector<std::string>& arguments, const auto& message) {
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exit_code, usage);
        EXPECT_THAT(ended.err, message) << testing::PrintToString(arguments);
    };
    refused({"tunee"}, AllOf(HasSubstr("no command 'tunee'"), HasSubstr("did you mean 'tune'?")));
    EXPECT_THAT(run({"tunee"}).err, testing::Not(HasSubstr("worker"))) << "a hidden command";
    refused({"db", "lisst"}, HasSubstr("did you mean 'list'?"));
    refused({"query", "--size", "1Mi"}, AllOf(HasSubstr("query has no option --size"), HasSubstr("mean '--n'?")));
    refused({"query", "--size=1Mi"}, HasSubstr("did you mean '--n'?"));
    refused({"tune", "--n", "1Mi"}, AllOf(HasSubstr("tune has no option --n"), HasSubstr("mean '--size'?")));
    refused({"tune", "--efort", "quick"}, HasSubstr("did you mean '--effort'?"));
    refused({"query", "-n", "5"}, HasSubstr("did you mean '--n'?"));
    refused({"query", "--n", "5", "--json"}, HasSubstr("did you mean '--format'?"));
}

TEST(RunProgram, OtherWrongArgumentsGetTheMessageOfTheParser) {
    EXPECT_THAT(run({"query"}).err, HasSubstr("--n is required"));
    EXPECT_EQ(run({"query"}).exit_code, usage);
    EXPECT_THAT(run({}).err, HasSubstr("subcommand is required"));
    EXPECT_THAT(run({"query", "--n", "5", "--format", "xml"}).err,
                AllOf(HasSubstr("--format: there is no value 'xml'; allowed are table, json, csv, md"),
                      testing::Not(HasSubstr("did you mean"))));
    EXPECT_THAT(run({"query", "--n", "5", "--format", "jsn"}).err, HasSubstr("did you mean 'json'?"));
}

TEST(RunProgram, NearNamesAreSuggested) {
    const auto refused = [](const std::vector<std::string>& arguments, const char* name) {
        const Ended ended = run(arguments);
        EXPECT_EQ(ended.exit_code, usage);
        EXPECT_THAT(ended.err, HasSubstr(std::string("did you mean '") + name + "'?"));
        EXPECT_LE(longest_line(ended.err), 200U) << ended.err;
    };
    for (const auto& [typed, name] : std::vector<std::pair<std::string, const char*>>{
             {"float", "f32"}, {"half", "f16"}, {"double", "f64"}, {"int", "i32"}, {"bfloat16", "bf16"}}) {
        refused({"query", "--n", "1Ki", "--dtype", typed}, name);
        refused({"tune", "--size", "1Ki", "--dtype", typed}, name);
    }
    refused({"query", "--n", "1Ki", "--op", "SUM"}, "sum");
    refused({"query", "--n", "1Ki", "--op", "avg"}, "mean");
    refused({"tune", "--size", "1Ki", "--op", "Avg"}, "mean");
    refused({"db", "list", "--dtype", "float"}, "f32");
    refused({"tune", "--regime", "stream"}, "back_to_back");
    refused({"query", "--n", "1Ki", "--regime", "stream"}, "back_to_back");
    refused({"tune", "--family", "stream"}, "grid_stride_wide");
    refused({"tune", "--family", "tile_per_blok"}, "tile_per_block");
}

TEST(RunProgram, ALongMessageIsWrapped) {
    CLI::App app("", "redtune");
    std::string list = "there is no 'x'; there are ";
    for (int i = 0; i < 100; ++i) list += "name_" + std::to_string(i) + ", ";
    std::string name = "redtune";
    char* arguments[] = {name.data(), nullptr};
    testing::internal::CaptureStderr();
    EXPECT_EQ(run_program(app, 1, arguments, [&]() -> int { throw InputError(list); }), usage);
    const std::string err = testing::internal::GetCapturedStderr();
    EXPECT_LE(longest_line(err), 100U);
    EXPECT_THAT(err, HasSubstr("name_99"));
}

}  // namespace
}  // namespace redtune::cli
