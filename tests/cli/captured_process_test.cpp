#include "tuner/cli/captured_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tuner/search/executor.h"

namespace redtune::cli {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Captured run_script(const std::string& script, const CaptureLimits& limits = {}) {
    return run_captured({"/bin/sh", "-c", script}, limits);
}

TEST(CapturedProcess, HasWhatIsPrintedOnBothStreams) {
    const Captured captured = run_script("echo out; echo error >&2; cat");
    EXPECT_EQ(captured.text, "out\nerror\n");
    EXPECT_FALSE(captured.has_failed);
}

TEST(CapturedProcess, AnExitCodeAndASignalAreFailures) {
    EXPECT_TRUE(run_script("echo part; exit 3").has_failed);
    EXPECT_TRUE(run_script("kill -9 $$").has_failed);
}

TEST(CapturedProcess, AProgramThatIsMissingIsAnError) {
    EXPECT_THAT([] { run_captured({"/none/ncu"}); }, ThrowsMessage<DeviceError>(HasSubstr("cannot start /none/ncu")));
}

/// Returns whether a process runs; one that has ended and awaits its parent does not.
bool is_running(const std::string& id) {
    std::ifstream file("/proc/" + id + "/stat");
    std::string number, name, state;
    return (file >> number >> name >> state) && state != "Z";
}

TEST(CapturedProcess, StoppingKillsWhatTheProgramHasStarted) {
    const db::TemporaryFolder folder;
    const std::filesystem::path started = folder / "started";
    std::atomic<bool> stop = false;
    const std::jthread stops([&] {
        while (!std::filesystem::exists(started)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        stop = true;
    });
    const std::string file = started.string();
    EXPECT_THROW(
        run_script("sleep 600 & echo $! >" + file + ".new; mv " + file + ".new " + file + "; wait", {&stop, {}}),
        search::Stopped);
    std::string child = db::read_file(started);
    child.pop_back();  // the line break
    while (is_running(child)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(CapturedProcess, StartsNothingIfItIsToStopAlready) {
    const db::TemporaryFolder folder;
    const std::atomic<bool> stop = true;
    EXPECT_THROW(run_script("touch " + (folder / "started").string(), {&stop, {}}), search::Stopped);
    EXPECT_FALSE(std::filesystem::exists(folder / "started"));
}

TEST(CapturedProcess, EndsWhenItsTimeIsOver) {
    EXPECT_THAT(
        [] {
            run_script("exec sleep 600", {nullptr, std::chrono::milliseconds(30)});
        },
        ThrowsMessage<DeviceError>(HasSubstr("/bin/sh did not end within")));
}

}  // namespace
}  // namespace redtune::cli
