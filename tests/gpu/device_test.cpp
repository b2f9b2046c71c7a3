#include "tuner/gpu/device.h"

#include <gmock/gmock.h>

#include <limits>

#include "redtune/error.h"

namespace redtune::gpu {
namespace {

using testing::HasSubstr;

TEST(Device, ListIsEmptyExactlyWhereThereIsAReason) {
    EXPECT_EQ(list_devices().empty(), !why_no_device().empty());
    EXPECT_EQ(driver_cuda_version() == 0, !is_driver_installed());
}

TEST(Device, AnUnknownOrdinalSaysWhatThereIs) {
    const std::size_t count = list_devices().size();
    for (const int ordinal : {-1, static_cast<int>(count), std::numeric_limits<int>::max()}) {
        try {
            device_at(ordinal);
            FAIL() << ordinal << " is no device";
        } catch (const DeviceError& error) {
            EXPECT_THAT(error.what(), HasSubstr(count == 0 ? why_no_device() : "0 to " + std::to_string(count - 1)));
        }
    }
}

TEST(Device, MigProfileIsTheTailOfTheName) {
    EXPECT_EQ(mig_profile("NVIDIA H200 MIG 1g.18gb"), "1g.18gb");
    EXPECT_EQ(mig_profile("NVIDIA A100-SXM4-40GB MIG 1c.3g.20gb"), "1c.3g.20gb");
    EXPECT_EQ(mig_profile("NVIDIA H200"), "");
    EXPECT_EQ(mig_profile(""), "");
}

TEST(Device, PeakCountsTwoTransfersPerClock) {
    EXPECT_NEAR(peak_gb_per_s(3201, 6016), 4814.3, 0.05);  // H200
    EXPECT_NEAR(peak_gb_per_s(1215, 5120), 1555.2, 0.05);  // A100 40 GB
    EXPECT_EQ(peak_gb_per_s(0, 6016), 0);
    EXPECT_EQ(peak_gb_per_s(3201, 0), 0);
}

}  // namespace
}  // namespace redtune::gpu
