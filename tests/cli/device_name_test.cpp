#include "tuner/cli/device_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redtune/error.h"

namespace redtune::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::vector<KnownDevice> known = {{"NVIDIA H200", 0, ""},
                                        {"NVIDIA H200", 1, ""},
                                        {"NVIDIA A100-PCIE-40GB", 2, ""},
                                        {"NVIDIA A100-SXM4-80GB", -1, "nvidia-a100-sxm4"},
                                        {"NVIDIA H200", -1, "nvidia-h200"},
                                        {"NVIDIA L4", -1, "nvidia-l4"},
                                        {"NVIDIA L40S", -1, ""}};

TEST(DeviceName, IsANumberOrAWholeNameOrAPartInAnyCase) {
    for (const char* text : {"0", "h200", "H200", "NVIDIA H200", "nvidia-h200", "nvidia_h200"}) {
        const auto device = find_device(text, known);
        ASSERT_TRUE(device) << text;
        EXPECT_EQ(device->ordinal, 0) << text;
    }
    EXPECT_EQ(find_device("1", known)->ordinal, 1);
    EXPECT_EQ(find_device("a100 pcie", known)->ordinal, 2);
    EXPECT_EQ(find_device("l40", known)->name, "NVIDIA L40S");
}

TEST(DeviceName, ReplaySelectsARecordingByAPartOfItsName) {
    for (const char* text : {"replay:nvidia-h200", "replay:h200", "replay:H200", "replay:NVIDIA H200"}) {
        const auto device = find_device(text, known);
        ASSERT_TRUE(device) << text;
        EXPECT_EQ(device->recording, "nvidia-h200") << text;
    }
    EXPECT_FALSE(find_device("replay:", known));
    EXPECT_FALSE(find_device("replay:l40s", known)) << "it is no recording";
}

TEST(DeviceName, AWholeNameIsPreferredToAPart) {
    EXPECT_EQ(find_device("nvidia l4", known)->name, "NVIDIA L4");
}

TEST(DeviceName, AnAmbiguousPartIsRefusedWithTheNamesThatContainIt) {
    EXPECT_THAT([] { find_device("a100", known); },
                ThrowsMessage<InputError>(
                    AllOf(HasSubstr("2 (\"NVIDIA A100-PCIE-40GB\")"), HasSubstr("replay:nvidia-a100-sxm4"))));
    EXPECT_THROW(find_device("nvidia", known), InputError);
}

TEST(DeviceName, ATextThatMatchesNoDeviceGivesNone) {
    for (const char* text : {"", "-", "7", "200", "h100", "replay:no-such"}) {
        EXPECT_FALSE(find_device(text, known)) << text;
    }
}

TEST(DeviceName, TheNumberOfAMissingGpuIsADeviceError) {
    EXPECT_THAT([] { refuse_missing_gpu("7", known); },
                ThrowsMessage<DeviceError>(AllOf(HasSubstr("no GPU 7"), HasSubstr("replay:nvidia-h200"))));
    EXPECT_NO_THROW(refuse_missing_gpu("h7", known));
}

TEST(DeviceName, ANearNameIsSuggested) {
    EXPECT_EQ(suggest_device("h20o", known), "; did you mean 'H200'?");
    EXPECT_EQ(suggest_device("replay:nvidia-h20", known), "; did you mean 'replay:nvidia-h200'?");
    EXPECT_EQ(suggest_device("something else", known), "");
}

}  // namespace
}  // namespace redtune::cli
