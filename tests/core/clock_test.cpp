#include "tuner/core/clock.h"

#include <gtest/gtest.h>

namespace redtune {
namespace {

TEST(Clock, TimesAreIso8601InUtc) {
    using std::chrono::sys_days;
    constexpr sys_days day = std::chrono::February / 29 / 2028;
    EXPECT_EQ(utc_text(day + std::chrono::seconds(3661)), "2028-02-29T01:01:01Z");
    EXPECT_EQ(utc_text({}), "1970-01-01T00:00:00Z");
    EXPECT_EQ(utc_now().size(), utc_text({}).size());
}

}  // namespace
}  // namespace redtune
