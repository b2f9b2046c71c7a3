// Counts the calls of cuInit(). redtune calls it once in a process, so each test runs in a process of its own.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/simulated_driver/simulated_driver.h"
#include "tuner/gpu/driver.h"
#include "tuner/gpu/nvrtc.h"

namespace redtune::gpu {
namespace {

/// Ends the process with the number of initialisations.
[[noreturn]] void exit_with_initialisations() {
    std::exit(static_cast<int>(simulated_driver::counts().initialisations));
}

class DriverInitialisationTest : public ::testing::Test {
  protected:
    DriverInitialisationTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(DriverInitialisationTest, AskingForTheVersionIsNoUse) {
    EXPECT_EXIT(
        {
            if (!Driver::is_installed() || Driver::cuda_version() == 0) std::abort();
            exit_with_initialisations();
        },
        ::testing::ExitedWithCode(0), "");
}

TEST_F(DriverInitialisationTest, FindingTheCompilerIsNoUse) {
    EXPECT_EXIT(
        {
            Nvrtc::find();
            exit_with_initialisations();
        },
        ::testing::ExitedWithCode(0), "");
}

TEST_F(DriverInitialisationTest, TheFirstUseInitialisesItOnce) {
    EXPECT_EXIT(
        {
            for (int i = 0; i < 2; ++i) Driver::get();
            exit_with_initialisations();
        },
        ::testing::ExitedWithCode(1), "");
}

}  // namespace
}  // namespace redtune::gpu
