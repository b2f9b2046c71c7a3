#include "tuner/cli/device_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"
#include "tests/support/database_fixture.h"
#include "tests/support/source_path.h"
#include "tuner/gpu/device.h"

namespace redtune::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class DeviceListTest : public ::testing::Test {
  protected:
    db::ScopedVariable data_{"REDTUNE_SYSTEM_DATA", test::shipped_data()};
};

TEST_F(DeviceListTest, OneDeviceIsNoList) {
    const DeviceList one = choose_devices("replay:nvidia-h200");
    EXPECT_FALSE(one.is_list);
    ASSERT_EQ(one.devices.size(), 1U);
    EXPECT_EQ(one.devices[0].recording, "nvidia-h200");
    EXPECT_THAT(one.labels, ElementsAre("replay:nvidia-h200"));
}

TEST_F(DeviceListTest, ARecordingMayBeListedSeveralTimes) {
    const DeviceList list = choose_devices("replay:h200,replay:nvidia-h200");
    EXPECT_TRUE(list.is_list);
    EXPECT_EQ(list.devices.size(), 2U);
    EXPECT_THAT(list.labels, ElementsAre("replay:nvidia-h200 (1)", "replay:nvidia-h200 (2)"));
}

TEST_F(DeviceListTest, EmptyAndUnknownNamesAreRefused) {
    for (const char* text : {",", "replay:h200,", ",replay:h200", "replay:h200,,replay:h200"}) {
        EXPECT_THAT([&] { choose_devices(text); }, ThrowsMessage<InputError>(HasSubstr("has an empty name"))) << text;
    }
    EXPECT_THAT([] { choose_devices("replay:h200,replay:h2000"); },
                ThrowsMessage<InputError>(HasSubstr("--device 'replay:h2000' names no GPU")));
}

TEST_F(DeviceListTest, AllAreTheGpusOfThisMachine) {
    const std::size_t gpus = gpu::list_devices().size();
    if (gpus == 0) {
        EXPECT_THAT([] { choose_devices("all"); }, ThrowsMessage<DeviceError>(HasSubstr("there is no GPU here")));
        EXPECT_THAT([] { choose_devices("0,1"); }, ThrowsMessage<DeviceError>(HasSubstr("there is no GPU 0 here")));
    } else {
        EXPECT_EQ(choose_devices("all").devices.size(), gpus);
        EXPECT_TRUE(choose_devices("all").is_list);
        EXPECT_THAT([] { choose_devices("0,0"); }, ThrowsMessage<InputError>(HasSubstr("names GPU 0 twice")));
    }
}

}  // namespace
}  // namespace redtune::cli
