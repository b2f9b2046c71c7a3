#include "tuner/cli/size_filter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "redtune/error.h"

namespace redtune::cli {
namespace {

TEST(SizeFilterTest, ARangeSelectsEverySizeInIt) {
    const auto is_asked = parse_size_filter("1Ki..5000");
    for (const std::uint64_t n : {1024, 1291, 4096, 5000}) EXPECT_TRUE(is_asked(n)) << n;
    for (const std::uint64_t n : {1023, 5001}) EXPECT_FALSE(is_asked(n)) << n;
}

TEST(SizeFilterTest, AListSelectsItsSizesOnly) {
    const auto is_asked = parse_size_filter("4096,1Mi,64..65");
    for (const std::uint64_t n : {64, 65, 4096, 1 << 20}) EXPECT_TRUE(is_asked(n)) << n;
    for (const std::uint64_t n : {66, 4097, 8192}) EXPECT_FALSE(is_asked(n)) << n;
}

TEST(SizeFilterTest, NoTextSelectsAllAndOtherTextIsRefused) {
    EXPECT_TRUE(parse_size_filter("")(12345));
    for (const char* text : {"x", "1Ki..", "1Mi..1Ki", ",", "1Ki,,2Ki"}) {
        EXPECT_THROW(parse_size_filter(text), InputError) << text;
    }
}

RC_GTEST_PROP(SizeFilterProperty, ARangeSelectsExactlyTheSizesBetweenItsEnds, ()) {
    const auto low = *rc::gen::inRange<std::uint64_t>(1, 1 << 20);
    const auto high = low + *rc::gen::inRange<std::uint64_t>(0, 1 << 20);
    const auto n = *rc::gen::inRange<std::uint64_t>(1, 1 << 21);
    RC_ASSERT(parse_size_filter(fmt::format("{}..{}", low, high))(n) == (low <= n && n <= high));
}

}  // namespace
}  // namespace redtune::cli
