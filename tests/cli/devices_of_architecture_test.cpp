#include "tuner/cli/devices_of_architecture.h"

#include <gmock/gmock.h>

#include "tests/support/database_fixture.h"
#include "tuner/core/well_known_devices.h"

namespace redtune::cli {
namespace {

std::vector<std::string> names_of(const std::vector<DeviceInfo>& devices) {
    std::vector<std::string> names;
    for (const DeviceInfo& device : devices) names.push_back(device.name);
    return names;
}

class DevicesOfArchitectureTest : public testing::Test {
  protected:
    DevicesOfArchitectureTest() {
        DeviceInfo tuned = db::h200();
        tuned.name = "NVIDIA A800";
        tuned.compute_major = 8;
        db::Store store = db::Store::open(folder_ / "user.db", db::Access::read_write);
        db::add_winner(store, tuned, {}, 1 << 20, Regime::cold, db::candidate(), 10);
    }

    std::vector<DeviceInfo> devices(int compute_capability) const {
        return devices_of_architecture(compute_capability, Catalog::open({folder_ / "user.db", folder_ / "none"}));
    }

    db::TemporaryFolder folder_;
};

TEST_F(DevicesOfArchitectureTest, TunedAndWellKnownDevicesCount) {
    const std::vector<std::string> names = names_of(devices(80));
    EXPECT_THAT(names, testing::IsSupersetOf({"NVIDIA A800", "NVIDIA A30", "NVIDIA A100-SXM4-80GB"}));
    EXPECT_THAT(names, testing::Not(testing::Contains("NVIDIA H200")));
    EXPECT_THAT(names_of(devices(90)), testing::Not(testing::Contains("NVIDIA A800")));
}

TEST_F(DevicesOfArchitectureTest, AnUnknownArchitectureGetsAllWellKnownDevices) {
    const std::vector<DeviceInfo> found = devices(110);
    EXPECT_EQ(names_of(found), names_of(well_known_devices()));
    for (const DeviceInfo& device : found) EXPECT_EQ(device.architecture(), "sm_110");
}

}  // namespace
}  // namespace redtune::cli
