#include "tuner/jit/current_software.h"

#include <gtest/gtest.h>

#include "tuner/gpu/nvrtc.h"
#include "tuner/jit/source_set.h"

namespace redtune::jit {
namespace {

TEST(CurrentSoftware, HasTheCodeOfEveryFamily) {
    const std::vector<Family> families = SourceSet::load().families();
    const Software software = current_software(families, false);
    ASSERT_EQ(software.families.size(), families.size());
    EXPECT_EQ(software.families[0], (FamilyCode{families[0].name, families[0].code_hash}));
    EXPECT_EQ(software.nvrtc_version, "") << "another machine's is not known";
    EXPECT_EQ(software.driver_version, "");
}

TEST(CurrentSoftware, HasTheVersionOfNvrtcIfTheDeviceIsHere) {
    if (gpu::Nvrtc::find() == nullptr) GTEST_SKIP() << gpu::Nvrtc::why_missing();
    EXPECT_EQ(current_software({}, true).nvrtc_version, gpu::Nvrtc::get().version());
}

}  // namespace
}  // namespace redtune::jit
