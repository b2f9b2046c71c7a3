#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"

namespace redtune::cli {
namespace {

struct Printed {
    int status = -1;
    std::string out;
};

/// Runs a shell command outside of the project's folder.
Printed run(const std::string& command) {
    Printed printed;
    std::FILE* pipe = popen(("cd / && " + command + " 2>&1 </dev/null").c_str(), "r");
    if (pipe == nullptr) return printed;
    char buffer[4096];
    for (std::size_t size = 0; (size = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
        printed.out.append(buffer, size);
    }
    printed.status = pclose(pipe);
    return printed;
}

TEST(ScriptHelp, EveryScriptPrintsItsHelpWithNothingInstalled) {
    std::size_t scripts = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::source_path("scripts"))) {
        const std::string name = entry.path().filename();
        // scripts/redtune is left out: it builds the program and then passes every argument on to it.
        if (access(entry.path().c_str(), X_OK) != 0 || entry.is_directory() || name == "redtune") continue;
        for (const char* option : {" --help", " -h"}) {
            const Printed printed = run(entry.path().string() + option);
            EXPECT_EQ(printed.status, 0) << name;
            EXPECT_THAT(printed.out, testing::ContainsRegex("[Uu]sage: (scripts/)?" + name)) << name;
            EXPECT_THAT(printed.out, testing::Not(testing::HasSubstr("set -"))) << "only the comment";
        }
        ++scripts;
    }
    EXPECT_GE(scripts, 12U);
}

TEST(ScriptHelp, BenchWithoutAGpuIsRefusedBeforeAnythingIsBuilt) {
    if (access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0) GTEST_SKIP() << "there is a GPU";
    const Printed printed = run(test::source_path("scripts/redtune") + " bench");
    EXPECT_EQ(WEXITSTATUS(printed.status), 3);
    EXPECT_THAT(printed.out, testing::AllOf(testing::HasSubstr("needs an NVIDIA GPU"),
                                            testing::Not(testing::HasSubstr("building"))));
}

}  // namespace
}  // namespace redtune::cli
