#include "tuner/gpu/nvrtc.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace redtune::gpu {
namespace {

/// Calls Nvrtc::get() with an environment variable set, and ends the process. The exit code is 7 if NVRTC is missing,
/// with the error on stderr, else 0.
[[noreturn]] void get_with(const char* variable, const char* value) {
    ::setenv(variable, value, 1);
    try {
        Nvrtc::get();
    } catch (const DeviceError& error) {
        std::fputs(error.what(), stderr);
        ::_exit(7);
    }
    ::_exit(0);
}

// A process searches for NVRTC only once, so each search with another outcome needs a process of its own.
TEST(NvrtcDeathTest, AMissingFileIsNamedWithTheRemedy) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(get_with("REDTUNE_NVRTC", "/nowhere/libnvrtc.so.13"), testing::ExitedWithCode(7),
                "no kernel can be compiled.*/nowhere/libnvrtc.so.13.*REDTUNE_CUDA_LIB.*redtune doctor");
}

TEST(NvrtcDeathTest, AnotherLibraryIsRefusedByWhatItLacks) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(get_with("REDTUNE_NVRTC", "libm.so.6"), testing::ExitedWithCode(7),
                "libm.so.6 has no nvrtcVersion: NVRTC 12.0 or later is needed");
}

TEST(NvrtcDeathTest, ThePreferredLibraryIsAskedForOnlyBySearches) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto prefer = [] { Nvrtc::prefer([]() -> std::string { ::_exit(8); }); };
    EXPECT_EXIT((prefer(), is_loadable("nvrtc 13.0 0123", 13000), ::_exit(0)), testing::ExitedWithCode(0), "");
    EXPECT_EXIT((prefer(), Nvrtc::find()), testing::ExitedWithCode(8), "");
}

TEST(Nvrtc, TellsWhatItIs) {
    const Nvrtc* nvrtc = Nvrtc::find();
    if (nvrtc == nullptr) GTEST_SKIP() << Nvrtc::why_missing();
    EXPECT_EQ(Nvrtc::why_missing(), "");
    EXPECT_EQ(&Nvrtc::get(), nvrtc);
    EXPECT_GE(nvrtc->major(), 12);
    EXPECT_EQ(nvrtc->version().substr(0, nvrtc->version().find('.')), std::to_string(nvrtc->major()));
    EXPECT_THAT(nvrtc->path().filename().string(), testing::StartsWith("libnvrtc"));
    EXPECT_THAT(nvrtc->supported_architectures(), testing::Contains("sm_90"));
}

TEST(Nvrtc, IdentityHoldsTheVersionAndNoPath) {
    const Nvrtc* nvrtc = Nvrtc::find();
    if (nvrtc == nullptr) GTEST_SKIP() << Nvrtc::why_missing();
    const std::string& identity = nvrtc->build_identity();
    const std::string start = "nvrtc " + nvrtc->version() + " ";
    ASSERT_THAT(identity, testing::StartsWith(start));
    EXPECT_GE(identity.size(), start.size() + 32);
    EXPECT_EQ(identity.find('/'), std::string::npos);
}

TEST(Nvrtc, ADriverLoadsCodeOfItsOwnMajorVersionAndOfEarlierOnes) {
    EXPECT_TRUE(is_loadable("nvrtc 12.9 0123", 12040));
    EXPECT_TRUE(is_loadable("nvrtc 12.9 0123", 13000));
    EXPECT_FALSE(is_loadable("nvrtc 13.0 0123", 12090));
    EXPECT_TRUE(is_loadable("nvrtc 13.0 0123", 0)) << "no driver";
    EXPECT_FALSE(is_loadable("something else", 13000));
}

}  // namespace
}  // namespace redtune::gpu
