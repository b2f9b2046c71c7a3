#include "tuner/cli/architecture.h"

#include <gtest/gtest.h>

#include "redtune/error.h"

namespace redtune::cli {
namespace {

TEST(Architecture, HasThreeForms) {
    for (const char* text : {"sm_90", "90", "9.0"}) EXPECT_EQ(parse_architecture(text), 90) << text;
    for (const char* text : {"sm_120", "120", "12.0"}) EXPECT_EQ(parse_architecture(text), 120) << text;
    EXPECT_EQ(architecture_name(parse_architecture("8.6")), "sm_86");
}

TEST(Architecture, AnyOtherTextIsRefused) {
    for (const char* text : {"", "sm_", "sm_9", "hopper", "sm_90a", "compute_90", "9000", "9.0.0", "-90"}) {
        EXPECT_THROW(parse_architecture(text), InputError) << text;
    }
}

}  // namespace
}  // namespace redtune::cli
