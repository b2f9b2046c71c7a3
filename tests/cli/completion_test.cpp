#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <set>
#include <sstream>

#include "redtune/error.h"
#include "redtune/problem.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/shell.h"
#include "tuner/cli/commands.h"
#include "tuner/cli/completion_tree.h"

namespace redtune::cli {
namespace {

using test_support::run_shell;
using test_support::ShellResult;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class CompletionTest : public testing::Test {
  protected:
    static std::string script(const std::string& shell) {
        const auto add = [](CLI::App& app, int& exit_code) {
            app.name("redtune");
            add_commands(app, exit_code);
        };
        return run_command(add, {"completion", shell}).out;
    }

    /// Returns what bash offers for the last word of a command line.
    std::set<std::string> offered(const std::vector<std::string>& words) const {
        const auto file = folder_ / "redtune.bash";
        db::write_file(file, script("bash"));
        std::string quoted;
        for (const std::string& word : words) quoted += " '" + word + "'";
        db::write_file(folder_ / "ask",
                       fmt::format("set -u; . '{}'\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_redtune redtune\n"
                                   "[ ${{#COMPREPLY[@]}} = 0 ] || printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
                                   file.string(), quoted, words.size() - 1));
        const ShellResult result = run_shell("cd '" + folder_.path().string() + "' && bash ask");
        EXPECT_EQ(result.status, 0) << result.output;
        std::istringstream lines(result.output);
        std::set<std::string> found;
        for (std::string line; std::getline(lines, line);) found.insert(line);
        return found;
    }

    db::TemporaryFolder folder_;
};

TEST_F(CompletionTest, BashCompletesCommandsOptionsAndValues) {
    EXPECT_THAT(offered({"redtune", "que"}), ElementsAre("query"));
    EXPECT_THAT(offered({"redtune", ""}), AllOf(IsSupersetOf({"tune", "query", "db"}), Not(Contains("worker"))));
    EXPECT_THAT(offered({"redtune", "query", "--o"}), ElementsAre("--op", "--op-file", "--output"));
    EXPECT_THAT(offered({"redtune", "query", "--op", "su"}), ElementsAre("sum", "sum_of_squares"));
    EXPECT_THAT(offered({"redtune", "query", "--op", "=", "su"}), ElementsAre("sum", "sum_of_squares"));
    EXPECT_THAT(offered({"redtune", "query", "--op", "="}), Contains("sum"));
    EXPECT_THAT(offered({"redtune", "tune", "--dtype", "f32,bf"}), ElementsAre("f32,bf16"));
    EXPECT_THAT(offered({"redtune", "query", "--op", "max", "--regime", ""}),
                ElementsAre("back_to_back", "cold", "warm"));
    EXPECT_THAT(offered({"redtune", "query", "--format", "j"}), ElementsAre("json"));
    EXPECT_THAT(offered({"redtune", "emit", "--format", ""}), ElementsAre("c", "cuda"));
    EXPECT_THAT(offered({"redtune", "db", "ex"}), ElementsAre("export"));
    EXPECT_THAT(offered({"redtune", "db", "list", "--re"}), ElementsAre("--regime"));
    EXPECT_THAT(offered({"redtune", "families", "rows_"}), Contains("rows_wide"));
    EXPECT_THAT(offered({"redtune", "query", "--n", ""}), ElementsAre()) << "any value";
}

TEST_F(CompletionTest, BashCompletesFiles) {
    db::write_file(folder_ / "a b.db", "");
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"redtune", "query", "--db", "a"},
                                               {"redtune", "db", "merge", "a"},
                                               {"redtune", "db", "export", "-o", "a"}}) {
        EXPECT_THAT(offered(words), Contains("a b.db")) << fmt::format("{}", fmt::join(words, " "));
    }
}

TEST_F(CompletionTest, EveryShellAcceptsItsScript) {
    for (const std::string shell : {"bash", "zsh", "fish"}) {
        const std::string text = script(shell);
        EXPECT_THAT(text, AllOf(HasSubstr("redtune query"), HasSubstr("sum_of_squares"))) << shell;
        if (!test_support::has_program(shell)) continue;
        const auto file = folder_ / ("redtune." + shell);
        db::write_file(file, text);
        const ShellResult result = run_shell(shell + " -n '" + file.string() + "'");
        EXPECT_EQ(result.status, 0) << result.output;
        EXPECT_EQ(result.output, "");
    }
}

TEST_F(CompletionTest, AnUnknownShellIsAnError) {
    EXPECT_THAT([] { script("bsh"); },
                testing::ThrowsMessage<InputError>(
                    AllOf(HasSubstr("allowed are bash, zsh, fish"), HasSubstr("did you mean 'bash'?"))));
}

TEST(CompletionTree, HasEveryVisibleCommandWithTheValuesOfItsOptions) {
    CLI::App app("An autotuner", "redtune");
    int exit_code = 0;
    add_commands(app, exit_code);
    const std::vector<CompletedCommand> commands = completed_commands(app);
    EXPECT_EQ(commands.front().path, "redtune");
    std::size_t with_types = 0;
    std::size_t with_types_of_results = 0;
    for (const CompletedCommand& command : commands) {
        EXPECT_THAT(command.description, Not(testing::IsEmpty())) << command.path;
        for (const CompletedOption& option : command.options) {
            if (option.names.front() == "--dtype") with_types += option.values == type_names();
            if (option.names.front() == "--output") with_types_of_results += option.values == type_names();
            EXPECT_TRUE(option.takes_value || option.values.empty()) << command.path << option.names.front();
        }
    }
    EXPECT_GE(with_types, 6U);
    EXPECT_GE(with_types_of_results, 5U) << "--output, but not -o, takes a type";
}

TEST(ManualPage, HasEveryCommandWithItsOptions) {
    const auto add = [](CLI::App& app, int& exit_code) {
        app.name("redtune");
        add_commands(app, exit_code);
    };
    const std::string page = run_command(add, {"man"}).out;
    EXPECT_THAT(page, AllOf(HasSubstr(".TH REDTUNE 1"), HasSubstr(".SS \"redtune db import\""),
                            HasSubstr("\\fB\\-\\-op\\fR \\fIVALUE\\fR"), HasSubstr("\\fIFILE\\fR"),
                            HasSubstr("130 interrupted"), Not(HasSubstr("redtune worker"))));
    if (!test_support::has_program("man")) return;
    const db::TemporaryFolder folder;
    db::write_file(folder / "redtune.1", page);
    const ShellResult result = run_shell("man --warnings -l '" + (folder / "redtune.1").string() + "' >/dev/null");
    EXPECT_EQ(result.output, "");
}

}  // namespace
}  // namespace redtune::cli
