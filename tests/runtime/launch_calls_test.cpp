#include "tuner/timing/launch_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/simulated_stream.h"

namespace redtune::runtime {
namespace {

using LaunchCallsTest = RuntimeTest;

/// Returns a kernel that does nothing, with the launches of the shipped winner for n elements.
launch::LoadedKernel winner(std::uint64_t n) {
    launch::LoadedKernel loaded;
    loaded.rule = *shipped_catalog().find(sum_f32(), n, "NVIDIA H200")->rule;
    CUmodule module = nullptr;
    cuModuleLoadData(&module, "");
    for (CUfunction& kernel : loaded.kernels) cuModuleGetFunction(&kernel, module, "tile_per_block");
    return loaded;
}

TEST_F(LaunchCallsTest, LaunchesTheKernelsOfEachCallAndNoOther) {
    const launch::LoadedKernel kernel = winner(100'000);
    timing::launch_calls(kernel, sum_f32(), 100'000, 1);
    const std::uint64_t one_call = simulated_driver::counts().launches;
    EXPECT_GE(one_call, 1U);
    timing::launch_calls(kernel, sum_f32(), 100'000, 6);
    EXPECT_EQ(simulated_driver::counts().launches, 7 * one_call);
}

}  // namespace
}  // namespace redtune::runtime
