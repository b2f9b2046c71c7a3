// Tests calls of a Reducer whose number of elements lies on the device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "redtune/error.h"
#include "redtune/reducer.h"
#include "tests/runtime/simulated_stream.h"

namespace redtune::runtime {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using ReducerCountTest = RuntimeTest;

TEST_F(ReducerCountTest, ReducesAsManyElementsAsTheDeviceSays) {
    Reducer sum(sum_f32(), shipped_options());
    const SimulatedStream stream;
    for (const std::uint64_t most : {0U, 1U, 1000U, 70'001U, 1'048'576U}) {
        const std::vector<float> input = ones(most + 1);
        for (const std::uint64_t n : {std::uint64_t{0}, most / 3, most, most + 1}) {
            float result = -1;
            ASSERT_EQ(sum.reduce(input.data(), DeviceCount{&n, most}, &result, stream), CallStatus::ok) << last_error();
            EXPECT_EQ(result, static_cast<float>(std::min(n, most))) << n << " of " << most;
        }
    }
}

/// n is read when the graph runs, not when the call is recorded.
TEST_F(ReducerCountTest, AGraphReadsTheCountAtEachLaunch) {
    Reducer sum(sum_f32(), shipped_options());
    const std::vector<float> input = ones(100'000);
    std::uint64_t n = 0;
    float result = -1;
    SimulatedStream stream;
    stream.begin_capture();
    const DeviceCount count{&n, input.size()};
    sum.prepare(input.size());
    EXPECT_EQ(sum.reduce(input.data(), count, &result, stream), CallStatus::not_prepared);
    EXPECT_THAT(last_error(), HasSubstr("prepare_device_count(most)"));
    sum.prepare_device_count(input.size());
    ASSERT_EQ(sum.reduce(input.data(), count, &result, stream), CallStatus::ok) << last_error();
    CUgraph graph = stream.end_capture();
    CUgraphExec executable = nullptr;
    ASSERT_EQ(cuGraphInstantiateWithFlags(&executable, graph, 0), CUDA_SUCCESS);
    for (const std::uint64_t now : {5U, 0U, 99'999U}) {
        n = now;
        ASSERT_EQ(cuGraphLaunch(executable, stream), CUDA_SUCCESS);
        EXPECT_EQ(result, static_cast<float>(now));
    }
    cuGraphExecDestroy(executable);
    cuGraphDestroy(graph);
}

TEST_F(ReducerCountTest, RefusesWrongDeviceCounts) {
    Reducer sum(sum_f32(), shipped_options());
    const std::vector<float> input = ones(8);
    const std::uint64_t n = 4;
    float result = 0;
    EXPECT_EQ(sum.reduce(input.data(), DeviceCount{nullptr, 8}, &result, nullptr), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("address of n"));
    const auto* unaligned = reinterpret_cast<const std::uint64_t*>(reinterpret_cast<const char*>(&n) + 4);
    EXPECT_EQ(sum.reduce(input.data(), DeviceCount{unaligned, 8}, &result, nullptr), CallStatus::invalid_argument);
    EXPECT_EQ(sum.reduce(nullptr, DeviceCount{&n, 8}, &result, nullptr), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("must not be null"));
    Problem problem = sum_f32();
    problem.row_length = 4;
    Reducer sums(problem, shipped_options());
    EXPECT_EQ(sums.reduce(input.data(), DeviceCount{&n, 8}, &result, nullptr), CallStatus::invalid_argument);
    EXPECT_THAT(last_error(), HasSubstr("this problem has rows"));
    EXPECT_THAT([&] { sums.prepare_device_count(8); }, ThrowsMessage<InputError>(HasSubstr("this problem has rows")));
}

TEST_F(ReducerCountTest, CountsOnTheDeviceTakeTheCallersWorkspaceAndThePinnedConfiguration) {
    Reducer sum(sum_f32(), shipped_options(0));
    // Two kernels: the second one combines as many partials as there are blocks for `most` elements.
    sum.pin("tile_per_block", {{"block", std::int64_t{128}},
                               {"unroll", std::int64_t{4}},
                               {"vector_bytes", std::int64_t{16}},
                               {"finish", std::string("two_kernel")}});
    CUdeviceptr memory = 0;
    cuMemAlloc(&memory, sum.workspace_bytes());
    cuMemsetD8Async(memory, 0, sum.workspace_zeroed_bytes(), nullptr);
    const Workspace workspace{reinterpret_cast<void*>(memory), sum.workspace_bytes()};
    const std::vector<float> input = ones(100'000);
    const std::uint64_t n = 17;
    float result = 0;
    ASSERT_EQ(sum.reduce(input.data(), DeviceCount{&n, input.size()}, &result, nullptr, workspace), CallStatus::ok)
        << last_error();
    EXPECT_EQ(result, 17.0F);
    EXPECT_EQ(simulated_driver::counts().launches, 2U);
    cuMemFree(memory);
}

}  // namespace
}  // namespace redtune::runtime
