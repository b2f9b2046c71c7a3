#include "db/parsed_texts.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace redtune::db {
namespace {

int parsed = 0;

int length(std::string_view text) {
    ++parsed;
    if (text.empty()) throw std::invalid_argument("empty");
    return static_cast<int>(text.size());
}

TEST(ParsedTexts, ParsesEveryTextOnce) {
    parsed = 0;
    ParsedTexts<int> lengths(length);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(lengths.of("four"), 4);
        EXPECT_EQ(lengths.of("three"), 5);
    }
    EXPECT_EQ(parsed, 2);
}

TEST(ParsedTexts, DoesNotRememberTextsThatCannotBeParsed) {
    parsed = 0;
    ParsedTexts<int> lengths(length);
    EXPECT_THROW(lengths.of(""), std::invalid_argument);
    EXPECT_THROW(lengths.of(""), std::invalid_argument);
    EXPECT_EQ(parsed, 2);
}

TEST(ParsedTexts, ForgetsAllIfThereAreTooMany) {
    ParsedTexts<int> lengths(length);
    for (std::size_t i = 0; i < ParsedTexts<int>::most; ++i) lengths.of(std::to_string(i));
    parsed = 0;
    EXPECT_EQ(lengths.of("0"), 1);
    EXPECT_EQ(parsed, 0);
    EXPECT_EQ(lengths.of("one more"), 8);
    EXPECT_EQ(lengths.of("0"), 1);
    EXPECT_EQ(parsed, 2);
}

}  // namespace
}  // namespace redtune::db
