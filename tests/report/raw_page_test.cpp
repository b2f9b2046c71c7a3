#include "tuner/report/raw_page.h"

#include <gtest/gtest.h>

#include "redtune/error.h"

namespace redtune::report {
namespace {

TEST(RawPage, HasTheTextsAndNumbersOfEachLaunch) {
    const RawPage page(
        "==PROF== Connected\n\"ID\",\"Kernel Name\",\"time\"\r\n\"\",\"\",\"ns\"\r\n"
        "\"0\",\"a<1, 2>\",\"1,234.5\"\r\n\"1\",\"b\",\"n/a\"\r\n==PROF== Disconnected\n");
    ASSERT_EQ(page.launches(), 2U);
    EXPECT_EQ(page.text(0, "Kernel Name"), "a<1, 2>");
    EXPECT_EQ(page.number(0, "time"), 1234.5);
    EXPECT_FALSE(page.number(1, "time"));
    EXPECT_EQ(page.text(1, "none"), "");
    EXPECT_FALSE(page.number(1, "none"));
}

TEST(RawPage, RefusesATextWithoutALaunch) {
    EXPECT_THROW(RawPage(""), InputError);
    EXPECT_THROW(RawPage("==WARNING== No kernels were profiled.\n"), InputError);
    EXPECT_THROW(RawPage("\"ID\",\"Kernel Name\"\n\"\",\"\"\n"), InputError);
}

}  // namespace
}  // namespace redtune::report
