#include "tuner/cli/interrupt.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace redtune::cli {
namespace {

// Each test runs in a process of its own, because the flag stays set.
TEST(InterruptDeathTest, OneKeyPressWhoseSignalArrivesTwiceOnlySetsTheFlag) {
    EXPECT_EXIT(
        {
            const std::atomic<bool>& stop = stop_on_interrupt();
            if (stop) std::exit(1);
            std::raise(SIGINT);
            std::raise(SIGINT);
            std::raise(SIGTERM);
            std::exit(stop ? 0 : 2);
        },
        ::testing::ExitedWithCode(0), "");
}

TEST(InterruptDeathTest, ASecondKeyPressEndsTheProgram) {
    EXPECT_EXIT(
        {
            stop_on_interrupt();
            std::raise(SIGINT);
            usleep(2'100'000);
            std::raise(SIGINT);
            std::exit(0);
        },
        ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace redtune::cli
