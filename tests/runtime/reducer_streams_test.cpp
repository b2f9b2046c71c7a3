// Calls in several streams, threads and devices. The simulated driver reports a workspace that two streams use at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "redtune/reducer.h"
#include "tests/runtime/simulated_stream.h"

namespace redtune::runtime {
namespace {

using ReducerStreamsTest = RuntimeTest;
constexpr std::uint64_t input_size = 70'001;

class Input {
  public:
    CallStatus call(Reducer& sum, CUstream stream) { return sum.reduce(input_.data(), input_size, &result_, stream); }
    float result() const { return result_; }

  private:
    std::vector<float> input_ = std::vector<float>(input_size, 1.0F);
    float result_ = 0;
};

TEST_F(ReducerStreamsTest, EachStreamHasItsOwnWorkspace) {
    Reducer sum(sum_f32(), shipped_options(4));
    const SimulatedStream first;
    const SimulatedStream second;
    Input input;
    for (int i = 0; i < 3; ++i) {
        for (CUstream stream : {static_cast<CUstream>(first), static_cast<CUstream>(second), CU_STREAM_LEGACY,
                                CU_STREAM_PER_THREAD, static_cast<CUstream>(nullptr)}) {
            EXPECT_EQ(input.call(sum, stream), CallStatus::ok) << last_error();
        }
    }
    const SimulatedStream fifth;
    EXPECT_EQ(input.call(sum, fifth), CallStatus::out_of_workspaces);
    EXPECT_THAT(last_error(), testing::HasSubstr("release()"));
    cuStreamSynchronize(first);
    sum.release(first);
    EXPECT_EQ(input.call(sum, fifth), CallStatus::ok);
    EXPECT_EQ(input.call(sum, second), CallStatus::ok) << "the search passes over a workspace that was released";
    EXPECT_EQ(input.call(sum, first), CallStatus::out_of_workspaces);
}

TEST_F(ReducerStreamsTest, StreamsThatComeAndGoAreReleased) {
    Reducer sum(sum_f32(), shipped_options(2));
    Input input;
    for (int i = 0; i < 100; ++i) {
        const SimulatedStream stream;
        ASSERT_EQ(input.call(sum, stream), CallStatus::ok) << i;
        cuStreamSynchronize(stream);
        sum.release(stream);
    }
}

TEST_F(ReducerStreamsTest, ThreadsWithTheirOwnStreamsGetRightResults) {
    Reducer sum(sum_f32(), shipped_options(32));
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i) {
        threads.emplace_back([&, i] {
            use_device(0);
            const SimulatedStream own;
            Input input;
            for (int call = 0; call < 200; ++call) {
                // Nothing was prepared, so that the first calls load the kernels at the same time.
                ASSERT_EQ(input.call(sum, i % 4 == 0 ? CU_STREAM_PER_THREAD : static_cast<CUstream>(own)),
                          CallStatus::ok)
                    << last_error();
                ASSERT_EQ(input.result(), static_cast<float>(input_size));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(simulated_driver::counts().module_loads, 1U);
}

TEST_F(ReducerStreamsTest, EachDeviceHasAReducerAndAThread) {
    simulated_driver::set_device_count(4);
    std::vector<std::thread> threads;
    for (int device = 0; device < 4; ++device) {
        threads.emplace_back([device] {
            use_device(device);
            Reducer sum(sum_f32(), shipped_options());
            Input input;
            for (int call = 0; call < 100; ++call) ASSERT_EQ(input.call(sum, nullptr), CallStatus::ok) << last_error();
            EXPECT_EQ(input.result(), static_cast<float>(input_size));
        });
    }
    for (std::thread& thread : threads) thread.join();
}

TEST_F(ReducerStreamsTest, APreparedCallAsksNothingOfTheDriverButTheLaunch) {
    Reducer sum(sum_f32(), shipped_options());
    sum.prepare(1, 1 << 22);
    const simulated_driver::Counts before = simulated_driver::counts();
    const SimulatedStream stream;
    Input input;
    for (int i = 0; i < 100; ++i) ASSERT_EQ(input.call(sum, stream), CallStatus::ok);
    const simulated_driver::Counts after = simulated_driver::counts();
    EXPECT_EQ(after.launches - before.launches, 100U);
    EXPECT_EQ(after.allocations, before.allocations);
    EXPECT_EQ(after.live_bytes, before.live_bytes);
    EXPECT_EQ(after.synchronisations, before.synchronisations);
    EXPECT_EQ(after.module_loads, before.module_loads);
    EXPECT_EQ(after.memsets, before.memsets);
}

TEST_F(ReducerStreamsTest, AReducerFreesItsPool) {
    const std::uint64_t before = simulated_driver::counts().live_bytes;
    {
        Reducer sum(sum_f32(), shipped_options(8));
        EXPECT_GE(simulated_driver::counts().live_bytes, before + 8 * sum.workspace_bytes());
    }
    EXPECT_EQ(simulated_driver::counts().live_bytes, before);
}

}  // namespace
}  // namespace redtune::runtime
