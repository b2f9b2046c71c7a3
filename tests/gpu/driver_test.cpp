#include "tuner/gpu/driver.h"

#include <gmock/gmock.h>

#include "redtune/error.h"

namespace redtune::gpu {
namespace {

using testing::HasSubstr;

TEST(Driver, IsEitherUsableOrSaysWhyNot) {
    if (const Driver* driver = Driver::find()) {
        EXPECT_EQ(Driver::why_missing(), "");
        EXPECT_EQ(&Driver::get(), driver);
        EXPECT_TRUE(Driver::is_installed());
        EXPECT_GE(Driver::cuda_version(), 12000);
        return;
    }
    EXPECT_NE(Driver::why_missing(), "");
    try {
        Driver::get();
        FAIL() << "there is no driver to get";
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.what(), HasSubstr("no GPU can be used"));
        EXPECT_THAT(error.what(), HasSubstr(Driver::why_missing()));
        EXPECT_THAT(error.what(), HasSubstr("redtune doctor"));
    }
}

TEST(Driver, NamesTheLibraryThatIsNotInstalled) {
    if (Driver::is_installed()) GTEST_SKIP() << "the driver is installed";
    EXPECT_THAT(Driver::why_missing(), HasSubstr("libcuda.so.1"));
    EXPECT_EQ(Driver::cuda_version(), 0);
}

}  // namespace
}  // namespace redtune::gpu
