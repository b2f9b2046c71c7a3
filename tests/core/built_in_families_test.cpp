#include "tuner/core/built_in_families.h"

#include <gtest/gtest.h>

#include "tests/support/database_fixture.h"
#include "tuner/jit/source_set.h"

namespace redtune {
namespace {

TEST(BuiltInFamilies, AreThoseOfTheTemplates) {
    const db::ScopedVariable no_folder("REDTUNE_TEMPLATE_PATH", nullptr);
    const std::vector<Family> expected = jit::SourceSet::load().families();
    const std::span<const Family> families = built_in_families();
    ASSERT_EQ(families.size(), expected.size());
    for (std::size_t i = 0; i < families.size(); ++i) {
        EXPECT_EQ(families[i].name, expected[i].name);
        EXPECT_EQ(find_built_in_family(families[i].name), &families[i]);
    }
    EXPECT_EQ(find_built_in_family("no_such_family"), nullptr);
}

}  // namespace
}  // namespace redtune
