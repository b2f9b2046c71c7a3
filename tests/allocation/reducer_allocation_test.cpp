#include <gtest/gtest.h>

#include "redtune/reducer.h"
#include "tests/allocation/count_allocations.h"
#include "tests/runtime/simulated_stream.h"

namespace redtune::runtime {
namespace {

using ReducerAllocation = RuntimeTest;

TEST_F(ReducerAllocation, APreparedCallAllocatesNothing) {
    Reducer sum(sum_f32(), shipped_options());
    sum.prepare(1, 1 << 22);
    const SimulatedStream first;
    const SimulatedStream second;
    const std::vector<float> input(1 << 16);
    float result = 0;
    const std::uint64_t before = test::allocations();
    for (std::uint64_t n = 1; n <= input.size(); n += 997) {
        ASSERT_EQ(sum.reduce(input.data(), n, &result, first), CallStatus::ok);
        ASSERT_EQ(sum.reduce(input.data(), n, &result, second), CallStatus::ok);
    }
    EXPECT_EQ(test::allocations(), before);
}

TEST_F(ReducerAllocation, APreparedCallWithACountOnTheDeviceAllocatesNothing) {
    Reducer sum(sum_f32(), shipped_options());
    const std::vector<float> input(1 << 16);
    sum.prepare_device_count(input.size());
    const SimulatedStream stream;
    const std::uint64_t n = 1000;
    float result = 0;
    const std::uint64_t before = test::allocations();
    ASSERT_EQ(sum.reduce(input.data(), DeviceCount{&n, input.size()}, &result, stream), CallStatus::ok);
    EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace redtune::runtime
