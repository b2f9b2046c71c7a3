#include "tuner/search/conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/devices.h"

namespace redtune::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Conditions conditions() {
    return {"gpu", {"0.1.0", "13.0", "580.159.04"}, "hash", test_support::h200(), {1980, 3201, 41, 312.4, 1}};
}

TEST(ConditionsTest, EqualConditionsHaveNoDifference) {
    EXPECT_THAT(differences(conditions(), conditions()), IsEmpty());
}

TEST(ConditionsTest, VersionsAreNamedWithBothValues) {
    Conditions now = conditions();
    now.toolchain = {"0.2.0", "13.1", "590.44.01"};
    EXPECT_THAT(differences(conditions(), now),
                ElementsAre("driver 580.159.04, now 590.44.01", "NVRTC 13.0, now 13.1", "redtune 0.1.0, now 0.2.0"));
}

TEST(ConditionsTest, ChangedCodeAndAnotherUnitAreNamed) {
    Conditions now = conditions();
    now.code_hash = "other";
    now.device.uuid = "GPU-2";
    EXPECT_THAT(differences(conditions(), now),
                ElementsAre("the kernel's code has changed",
                            "another unit of the device (GPU-00000000-0000-0000-0000-000000000000, now GPU-2)"));
}

TEST(ConditionsTest, MigAndMemoryAreNamed) {
    Conditions now = conditions();
    now.device.mig_profile = "1g.18gb";
    now.device.memory_bytes = std::uint64_t{18} << 30;
    EXPECT_THAT(differences(conditions(), now),
                ElementsAre("MIG profile none, now 1g.18gb", HasSubstr("140 GiB of memory, now 18 GiB")));
}

TEST(ConditionsTest, ClocksCountIfTheyDifferByMoreThanAStep) {
    Conditions now = conditions();
    now.circumstances.sm_mhz = 1965;
    now.circumstances.memory_mhz = 2619;
    EXPECT_THAT(differences(conditions(), now), ElementsAre("memory clock 3201 MHz, now 2619 MHz"));
    now.circumstances = conditions().circumstances;
    now.circumstances.sm_mhz = 1755;
    EXPECT_THAT(differences(conditions(), now), ElementsAre("SM clock 1980 MHz, now 1755 MHz"));
}

TEST(ConditionsTest, ThrottlingIsNamedButAnIdleGpuIsNone) {
    Conditions now = conditions();
    now.circumstances.throttle_reasons = 0x4 | 0x40;
    EXPECT_THAT(differences(conditions(), now),
                ElementsAre("clocks are limited now by: power cap, temperature (hardware)"));
    EXPECT_THAT(differences(now, conditions()),
                ElementsAre("clocks were limited then by: power cap, temperature (hardware)"));
}

TEST(ConditionsTest, UnknownValuesAreNotCompared) {
    Conditions now = conditions();
    now.toolchain = {};
    now.code_hash.clear();
    now.device.uuid.clear();
    now.circumstances = {};
    EXPECT_THAT(differences(conditions(), now), IsEmpty());
    EXPECT_THAT(differences(now, conditions()), IsEmpty());
}

TEST(ConditionsTest, AReplayHasNoVersionsToCompareWithThoseOfAGpu) {
    Conditions now = conditions();
    now.source = "replay:some-gpu";
    now.toolchain = {"0.1.0", "recorded", "recorded"};
    EXPECT_THAT(differences(conditions(), now),
                ElementsAre("the stored time is from gpu, the new one from replay:some-gpu"));
}

}  // namespace
}  // namespace redtune::search
