#include "tuner/jit/resource_log.h"

#include <gtest/gtest.h>

namespace redtune::jit {
namespace {

TEST(ResourceLog, ReadsEveryKernel) {
    const auto resources = parse_resource_log(
        "ptxas info    : 12 bytes gmem\n"
        "ptxas info    : Compiling entry function 'first' for 'sm_90'\n"
        "ptxas info    : Function properties for first\n"
        "ptxas         .     8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
        "ptxas info    : Used 32 registers, used 1 barriers, 48 bytes smem\n"
        "ptxas info    : Compiling entry function 'second' for 'sm_90'\n"
        "ptxas info    : Used 4 registers\n");
    ASSERT_EQ(resources.size(), 2U);
    EXPECT_EQ(resources.at("first").registers, 32U);
    EXPECT_EQ(resources.at("first").shared_bytes, 48U);
    EXPECT_EQ(resources.at("first").spill_bytes, 16U);
    EXPECT_EQ(resources.at("second").registers, 4U);
    EXPECT_EQ(resources.at("second").shared_bytes, 0U);
}

TEST(ResourceLog, OtherTextIsNothing) {
    EXPECT_TRUE(parse_resource_log("warning: unused\nUsed 3 registers").empty());
}

}  // namespace
}  // namespace redtune::jit
