#include "tuner/runtime/current_device.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tests/runtime/simulated_stream.h"
#include "tuner/gpu/device.h"

namespace redtune::runtime {
namespace {

constexpr const char* nvml = "libnvidia-ml.so.1";

class CurrentDeviceTest : public RuntimeTest {};

TEST_F(CurrentDeviceTest, IsReadWithoutNvml) {
    const DeviceInfo info = gpu::info_at(0);
    EXPECT_NEAR(info.peak_gb_per_s, 4814.3, 0.05);  // an H200's
    EXPECT_EQ(dlopen(nvml, RTLD_LAZY | RTLD_NOLOAD), nullptr) << "NVML takes long to start";
    EXPECT_EQ(CurrentDevice().info().name, info.name);
}

}  // namespace
}  // namespace redtune::runtime
