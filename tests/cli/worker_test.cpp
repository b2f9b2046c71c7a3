#include "tuner/search/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"
#include "tests/support/command_line.h"
#include "tests/support/database_fixture.h"
#include "tests/support/shell.h"
#include "tests/support/source_path.h"
#include "tuner/cli/interrupt.h"
#include "tuner/core/program_folder.h"
#include "tuner/jit/source_set.h"

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string program() {
    return (program_folder() / ".." / "redtune").string();
}

/// Runs commands on the shipped recording, which a process of `redtune worker` replays.
class WorkerCommandTest : public ::testing::Test {
  protected:
    Outcome run(const std::function<void(CLI::App&, int&)>& add, std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--device", "replay:nvidia-h200", "--db", (folder_ / "test.db").string()});
        return run_command(add, arguments);
    }
    Outcome tune(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"tune", "--worker", "--between", "0", "--checks", "0"});
        return run([](CLI::App& app, int& exit_code) { add_tune_command(app, exit_code); }, std::move(arguments));
    }

    /// Returns the task of a worker that replays sums of f32 with the families of redtune.
    static search::WorkerTask task() {
        search::WorkerTask task;
        task.recording = "nvidia-h200";
        task.code = search::code_of(jit::SourceSet::load().families());
        return task;
    }

    db::TemporaryFolder folder_;
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::shipped_data()};
    db::ScopedVariable cache_{"REDTUNE_CACHE", folder_.path().c_str()};
    db::ScopedVariable worker_{"REDTUNE_WORKER_PROGRAM", program()};
};

TEST_F(WorkerCommandTest, TuneFindsWhatItFindsInProcess) {
    const Outcome outcome = tune({"--size", "1Ki,64Ki", "--effort", "quick"});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
    const Outcome in_process =
        run([](CLI::App& app, int& exit_code) { add_tune_command(app, exit_code); },
            {"tune", "--between", "0", "--checks", "0", "--size", "1Ki,64Ki", "--effort", "quick", "--no-resume"});
    EXPECT_EQ(in_process.out, outcome.out);
}

TEST_F(WorkerCommandTest, AWorkerThatCannotBeStartedIsAnError) {
    const db::ScopedVariable missing("REDTUNE_WORKER_PROGRAM", "/nowhere/redtune");
    EXPECT_THAT(
        [&] {
            tune({"--size", "1Ki", "--family", "shared_sequential"});
        },
        ThrowsMessage<DeviceError>(HasSubstr("`redtune tune --no-worker` needs none")));
}

TEST_F(WorkerCommandTest, TheWorkerHasTheTemplatesOfTheUser) {
    const Outcome outcome = tune(
        {"--size", "1Ki", "--family", "shared_sequential", "--template", test::source_path("examples/contiguous.cuh")});
    EXPECT_EQ(outcome.exit_code, done) << outcome.err;
}

TEST_F(WorkerCommandTest, CodeThatChangedMeanwhileIsRefused) {
    search::Worker worker({program(), {"worker"}}, interrupt_flag());
    search::WorkerTask changed = task();
    changed.code = "other";
    EXPECT_THAT([&] { worker.ask<search::Opened>(search::OpenRequest{changed}, 60); },
                ThrowsMessage<InputError>(HasSubstr("changed after the command began; run it again")));
    EXPECT_EQ(worker.ask<search::Opened>(search::OpenRequest{task()}, 60).source, "replay:nvidia-h200");
}

TEST_F(WorkerCommandTest, RequestsOutOfOrderAreRefused) {
    search::Worker worker({program(), {"worker"}}, interrupt_flag());
    EXPECT_THAT([&] { worker.ask<search::Prepared>(search::PrepareRequest{}, 60); },
                ThrowsMessage<InputError>(HasSubstr("the first request must be 'open'")));
}

TEST_F(WorkerCommandTest, ThePersonWhoStartsAWorkerIsToldWhatToUse) {
    const test_support::ShellResult result = test_support::run_shell("'" + program() + "' worker");
    EXPECT_EQ(result.status, usage);
    EXPECT_THAT(result.output, HasSubstr("`redtune worker` is started by `redtune tune`"));
    EXPECT_THAT(test_support::run_shell("'" + program() + "' --help").output, ::testing::Not(HasSubstr("worker")));
}

}  // namespace
}  // namespace redtune::cli
