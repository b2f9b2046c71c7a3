#include "tuner/search/sweep_clock.h"

#include <gtest/gtest.h>

#include "tests/search/sweep_fixture.h"

namespace redtune::search {
namespace {

TEST(SweepClock, AllTimeIsBeforeTheFirstKernelUntilItIsReady) {
    SweepClock clock;
    FakeExecutor executor;
    const SweepTiming before = clock.read(executor);
    EXPECT_GT(before.before_first_kernel_s, 0);
    EXPECT_EQ(before.after_first_kernel_s, 0);
    clock.first_kernel_is_ready();
    const SweepTiming after = clock.read(executor);
    clock.first_kernel_is_ready();
    EXPECT_EQ(clock.read(executor).before_first_kernel_s, after.before_first_kernel_s);
    EXPECT_GT(after.after_first_kernel_s, 0);
}

TEST(SweepClock, KernelsFromTheCacheAreNotCompiled) {
    SweepClock clock;
    FakeExecutor executor;
    clock.count_compiled({.done = 10, .total = 12, .from_cache = 4, .failed = 1});
    clock.count_compiled({.done = 3, .total = 3, .from_cache = 3, .failed = 0});
    EXPECT_EQ(clock.read(executor).compiled_kernels, 6U);
}

}  // namespace
}  // namespace redtune::search
