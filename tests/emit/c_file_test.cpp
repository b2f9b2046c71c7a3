#include <cuda.h>
#include <gtest/gtest.h>

#include "tests/emit/emitted_host_code.h"
#include "tests/support/emissions.h"

namespace redtune::emit {
namespace {

using test_support::EmissionSource;
using test_support::EmittedHostCode;

/// The C code of one problem on a driver that the test controls.
class EmittedCFile : public testing::Test {
  protected:
    void SetUp() override {
        if (!test_support::has_program("cc")) GTEST_SKIP() << "there is no C compiler";
        const EmissionSource source(false);
        emission_ = source.emission(source.shipped().at(0), "emitted", 1 << 16, 1 << 20);
        code_.emplace(EmittedHostCode::of_c_files({emission_}));
    }

    int& setting(const std::string& name) { return *code_->library().find<int>(name); }
    int reduce() { return code_->reduce(0, emission_.request.least, 0x10000, launches_); }
    int unload() { return (*code_->library().find<int()>("unload0"))(); }

    Emission emission_;
    std::optional<EmittedHostCode> code_;
    std::vector<RecordedLaunch> launches_;
};

TEST_F(EmittedCFile, LoadsLaunchesAndUnloads) {
    EXPECT_EQ(reduce(), CUDA_SUCCESS);
    EXPECT_EQ(launches_.size(), 1U);
    EXPECT_EQ(setting("loaded_modules"), 2);
    EXPECT_EQ(unload(), CUDA_SUCCESS);
    EXPECT_EQ(setting("loaded_modules"), 0);
    EXPECT_EQ(unload(), CUDA_SUCCESS) << "a second call does nothing";
    EXPECT_EQ(setting("loaded_modules"), 0);
    EXPECT_EQ(reduce(), CUDA_SUCCESS) << "it can be loaded again";
}

TEST_F(EmittedCFile, RefusesADeviceOfAnotherArchitecture) {
    setting("compute_major") = 8;
    EXPECT_EQ(reduce(), CUDA_ERROR_NO_BINARY_FOR_GPU);
    setting("compute_major") = 10;
    EXPECT_EQ(reduce(), CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT_EQ(setting("loaded_modules"), 0);
    setting("compute_major") = 9;
    setting("compute_minor") = 1;  // runs the code of 9.0
    EXPECT_EQ(reduce(), CUDA_SUCCESS);
}

TEST_F(EmittedCFile, AFailedLoadLeavesNothingLoaded) {
    setting("has_context") = 0;
    EXPECT_EQ(reduce(), CUDA_ERROR_INVALID_CONTEXT);
    setting("has_context") = 1;
    setting("loads_before_failure") = 1;
    EXPECT_EQ(reduce(), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(setting("loaded_modules"), 0);
    EXPECT_EQ(unload(), CUDA_SUCCESS);
    EXPECT_TRUE(launches_.empty());
}

TEST_F(EmittedCFile, ReturnsTheErrorOfALaunch) {
    code_->recording().next_error = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    EXPECT_EQ(reduce(), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    EXPECT_EQ(code_->reduce(0, 1 << 16, 0, launches_), CUDA_ERROR_INVALID_VALUE) << "no workspace";
    EXPECT_EQ(code_->reduce(0, 1 << 16, 0x10080, launches_), CUDA_ERROR_INVALID_VALUE) << "not aligned";
}

}  // namespace
}  // namespace redtune::emit
