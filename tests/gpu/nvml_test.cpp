#include "tuner/gpu/nvml.h"

#include <gmock/gmock.h>

namespace redtune::gpu {
namespace {

TEST(Nvml, IsEitherUsableOrSaysWhyNot) {
    if (const Nvml* nvml = Nvml::find()) {
        EXPECT_EQ(Nvml::why_missing(), "");
        EXPECT_NE(nvml->driver_version(), "");
    } else {
        EXPECT_THAT(Nvml::why_missing(), testing::HasSubstr("libnvidia-ml.so.1"));
    }
}

TEST(NvmlDevice, OfNoDeviceTellsNothingAndThrowsNothing) {
    const NvmlDevice device("GPU-00000000-0000-0000-0000-000000000000");
    EXPECT_FALSE(device.is_known());
    const Circumstances now = device.read();
    EXPECT_FALSE(now.sm_mhz || now.memory_mhz || now.temperature_c || now.power_w || now.throttle_reasons);
    EXPECT_FALSE(device.nominal_sm_mhz());
    EXPECT_FALSE(device.max_memory_mhz());
    EXPECT_FALSE(device.bus_width_bits());
    EXPECT_FALSE(device.ecc_enabled());
    EXPECT_FALSE(device.mig_enabled());
}

}  // namespace
}  // namespace redtune::gpu
