#include "tuner/core/well_known_devices.h"

#include <gtest/gtest.h>

#include <set>

namespace redtune {
namespace {

TEST(WellKnownDevices, EveryRowIsComplete) {
    std::set<std::string> names;
    for (const DeviceInfo& device : well_known_devices()) {
        EXPECT_TRUE(names.insert(device.name).second) << device.name << " is there twice";
        EXPECT_GE(device.compute_major * 10 + device.compute_minor, 75) << device.name;
        EXPECT_LT(device.compute_major, 13) << device.name;
        EXPECT_GE(device.sm_count, 10U) << device.name;
        EXPECT_LE(device.sm_count, 200U) << device.name;
        EXPECT_GE(device.memory_gib(), 8U) << device.name;
        EXPECT_GE(device.l2_bytes, 2U << 20) << device.name;
        EXPECT_GE(device.peak_gb_per_s, 200) << device.name;
        EXPECT_GE(device.max_threads_per_sm, 1024U) << device.name;
        EXPECT_GE(device.max_shared_bytes_per_block, 64U << 10) << device.name;
    }
    EXPECT_GE(names.size(), 30U);
}

TEST(WellKnownDevices, AreFoundByTheirWholeName) {
    const auto a100 = find_well_known_device("NVIDIA A100-SXM4-80GB");
    ASSERT_TRUE(a100);
    EXPECT_EQ(a100->architecture(), "sm_80");
    EXPECT_EQ(a100->sm_count, 108U);
    EXPECT_EQ(a100->max_shared_bytes_per_block, 166912U);
    EXPECT_EQ(find_well_known_device("NVIDIA GeForce RTX 4090")->architecture(), "sm_89");
    EXPECT_EQ(find_well_known_device("NVIDIA B200")->architecture(), "sm_100");
    EXPECT_FALSE(find_well_known_device("A100"));
    EXPECT_FALSE(find_well_known_device(""));
}

}  // namespace
}  // namespace redtune
