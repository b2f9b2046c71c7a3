#include "tuner/lookup/residency.h"

#include <gtest/gtest.h>

#include "tests/support/devices.h"

namespace redtune::lookup {
namespace {

TEST(Residency, LaunchBoundsLimitTheRegisters) {
    EXPECT_EQ(most_registers(1024), 64U);
    EXPECT_EQ(most_registers(512), 128U);
    EXPECT_EQ(most_registers(256), 255U);
    EXPECT_EQ(most_registers(32), 255U);
}

TEST(Residency, TheScarcestResourceCounts) {
    DeviceInfo device = test_support::h200();
    device.sm_count = 10;
    device.max_shared_bytes_per_block = 100'000;
    EXPECT_EQ(resident_blocks({.threads = 512, .registers = 32, .shared_bytes = 0}, device), 40U) << "threads";
    EXPECT_EQ(resident_blocks({.threads = 512, .registers = 64, .shared_bytes = 0}, device), 20U) << "registers";
    EXPECT_EQ(resident_blocks({.threads = 512, .registers = 32, .shared_bytes = 40'000}, device), 20U) << "shared";
    EXPECT_EQ(resident_blocks({.threads = 256, .registers = 255, .shared_bytes = 0}, device), 10U)
        << "255 registers are allocated as 256";
    EXPECT_EQ(resident_blocks({.threads = 2048, .registers = 16, .shared_bytes = 0}, device), 0U);
    EXPECT_EQ(resident_blocks({.threads = 32, .registers = 16, .shared_bytes = 100'001}, device), 0U);
}

TEST(Residency, AClusterNeedsItsBlocksOnEightSms) {
    DeviceInfo device = test_support::h200();
    device.sm_count = 17;
    const auto clusters = [&](std::uint32_t cluster) {
        // One block fills an SM.
        return resident_blocks({.threads = 1024, .registers = 64, .shared_bytes = 0, .cluster = cluster}, device);
    };
    EXPECT_EQ(clusters(8), 16U) << "two groups of eight SMs have a cluster each";
    EXPECT_EQ(clusters(16), 0U);
    EXPECT_EQ(clusters(2), 16U);
    device.sm_count = 1;
    EXPECT_EQ(clusters(2), 0U);
    device.sm_count = 3;
    EXPECT_EQ(clusters(2), 2U);
}

}  // namespace
}  // namespace redtune::lookup
