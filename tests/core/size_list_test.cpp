#include "tuner/core/size_list.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "redtune/error.h"

namespace redtune {
namespace {

TEST(SizeList, ReadsSuffixes) {
    EXPECT_EQ(parse_size("0"), 0U);
    EXPECT_EQ(parse_size("4096"), 4096U);
    EXPECT_EQ(parse_size("16Mi"), std::uint64_t{16} << 20);
    EXPECT_EQ(parse_size("8Gi"), std::uint64_t{8} << 30);
    EXPECT_EQ(parse_size("1Ti"), std::uint64_t{1} << 40);
}

TEST(SizeList, ReadsUnderscoresAndExponents) {
    EXPECT_EQ(parse_size("1_000_000"), 1'000'000U);
    EXPECT_EQ(parse_size("1e6"), 1'000'000U);
    EXPECT_EQ(parse_size("16E6"), 16'000'000U);
    EXPECT_EQ(parse_size("1_6Mi"), std::uint64_t{16} << 20);
    EXPECT_EQ(parse_sizes("1e3..4_000"), (std::vector<std::uint64_t>{1000, 2000, 4000}));
    for (const char* text : {"_1", "1_", "1__0", "1e", "e6", "1e19", "1e99", "1e-3", "1.5e6", "1e6Mi", "99e18"}) {
        EXPECT_THROW(parse_size(text), InputError) << text;
    }
}

TEST(SizeList, ReadsPowersOfTwo) {
    EXPECT_EQ(parse_size("2^0"), 1U);
    EXPECT_EQ(parse_size("2^20"), std::uint64_t{1} << 20);
    EXPECT_EQ(parse_size("2^63"), std::uint64_t{1} << 63);
    EXPECT_EQ(parse_sizes("2^8..2^10,2^20"), (std::vector<std::uint64_t>{256, 512, 1024, 1 << 20}));
    for (const char* text : {"2^", "2^64", "2^999", "2^-1", "2^2Ki", "2^1e1", "2^2^2", "3^2", "2^x", "^2"}) {
        EXPECT_THROW(parse_size(text), InputError) << text;
    }
}

TEST(SizeList, SuggestsTheRightSpelling) {
    const auto suggests = [](const char* text, const std::string& suggestion) {
        try {
            parse_size(text);
            ADD_FAILURE() << text;
        } catch (const InputError& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find(suggestion), std::string::npos) << message;
            EXPECT_EQ(suggestion.empty(), message.find("did you mean") == std::string::npos) << message;
        }
    };
    suggests("16M", "did you mean 16Mi or 16e6?");
    suggests("16MB", "did you mean 16Mi or 16e6?");
    suggests("1k", "did you mean 1Ki or 1e3?");
    suggests("16MiB", "did you mean 16Mi?");
    suggests("16mi", "did you mean 16Mi?");
    suggests("1 Gi", "did you mean 1Gi?");
    suggests("1Ki..1Mi", "not a range");
    suggests("1Ki..1Mi:4", "did you mean 1Ki or 1Mi?");
    suggests("1,000,000", "did you mean 1000000?");
    suggests("1Ki,2Ki", "did you mean 1Ki or 2Ki?");
    for (const char* text : {"many", "", "-5", "1Qi", "16Mx"}) suggests(text, "");
}

TEST(SizeList, RejectsTextThatIsNotASize) {
    for (const char* text :
         {"",          "Ki",       "-5",   "1Qi", "1K",  "1.5Mi", "0x10",   "1 Ki",    "99999999999999999999999",
          "8388609Ti", "4Ki..1Ki", "0..4", "1..", "..4", "1..4:", "1..4:0", "1..4:65", "1..4:2x",
          "1,,2",      "1,"}) {
        EXPECT_THROW(parse_sizes(text), InputError) << text;
    }
}

TEST(SizeList, ErrorsListTheAllowedForms) {
    try {
        parse_sizes("1Qi");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("16Mi"), std::string::npos) << error.what();
    }
}

TEST(SizeList, RangesHaveOneOrMoreSizesPerOctave) {
    EXPECT_EQ(parse_sizes("1Ki..8Ki"), (std::vector<std::uint64_t>{1024, 2048, 4096, 8192}));
    EXPECT_EQ(parse_sizes("1Ki..2Ki:4"), (std::vector<std::uint64_t>{1024, 1218, 1448, 1722, 2048}));
    EXPECT_EQ(parse_sizes("3..13"), (std::vector<std::uint64_t>{3, 6, 12}));
    EXPECT_EQ(parse_sizes("1Ki..1Gi").size(), 21U);
}

TEST(SizeList, ListsAreSortedWithoutRepeats) {
    EXPECT_EQ(parse_sizes("7,1..4,2"), (std::vector<std::uint64_t>{1, 2, 4, 7}));
}

RC_GTEST_PROP(SizeList, FormattedSizesRoundTrip, (std::uint64_t n)) {
    n >>= 1;
    RC_ASSERT(parse_size(format_size(n)) == n);
}

RC_GTEST_PROP(SizeList, RangesStayWithinTheirEnds, ()) {
    const auto first = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    const auto last = *rc::gen::inRange<std::uint64_t>(first, 100'000'000);
    const auto per_octave = *rc::gen::inRange(1, 9);
    const auto sizes =
        parse_sizes(std::to_string(first) + ".." + std::to_string(last) + ":" + std::to_string(per_octave));
    RC_ASSERT(sizes.front() == first);
    RC_ASSERT(sizes.back() <= last);
    RC_ASSERT(std::is_sorted(sizes.begin(), sizes.end()));
}

RC_GTEST_PROP(SizeList, AnyTextIsASizeOrAnInputError, (std::string text)) {
    try {
        parse_sizes(text);
    } catch (const InputError&) {
        RC_SUCCEED("refused");
    }
}

}  // namespace
}  // namespace redtune
