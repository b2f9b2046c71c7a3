#include "tuner/core/environment.h"

#include <gtest/gtest.h>

#include "tests/support/database_fixture.h"

namespace redtune {
namespace {

constexpr const char* name = "REDTUNE_TEST_VARIABLE";

TEST(Environment, ReturnsTheTextOfAVariable) {
    const db::ScopedVariable variable(name, "text");
    EXPECT_EQ(environment_variable(name), "text");
}

TEST(Environment, EmptyVariablesCountAsNotSet) {
    const db::ScopedVariable empty(name, "");
    EXPECT_EQ(environment_variable(name), std::nullopt);
    const db::ScopedVariable unset(name, nullptr);
    EXPECT_EQ(environment_variable(name), std::nullopt);
}

}  // namespace
}  // namespace redtune
