#include "tuner/core/front_matter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "redtune/error.h"

namespace redtune {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A device source whose front matter begins in line 3.
const std::string front_matter_text = R"(// A comment
#pragma once
/*redtune
zebra = "z"
apple = 3

[table]
y = 1
x = 2
*/
code = "not TOML's business"; /* nor this */
)";

FrontMatter read(const std::string& text) {
    return {"a.cuh", text, "a file of things"};
}

TEST(FrontMatter, ParsesTheTomlInTheComment) {
    const FrontMatter matter = read(front_matter_text);
    EXPECT_EQ(matter.text("zebra"), "z");
    EXPECT_EQ(matter.text("missing"), "");
    EXPECT_EQ(matter.first_line(), 3);
    EXPECT_EQ(matter.root().size(), 3U);
}

TEST(FrontMatter, LineNumbersCountFromTheStartOfTheFile) {
    const FrontMatter matter = read(front_matter_text);
    EXPECT_EQ(matter.line(*matter.root().get("zebra")), 4);
    EXPECT_EQ(matter.line(*matter.root().get("apple")), 5);
    EXPECT_EQ(matter.line(*matter.root()["table"].as_table()->get("x")), 9);
    EXPECT_THAT([&] { matter.text("apple"); }, ThrowsMessage<InputError>("a.cuh:5: 'apple' must be a string"));
    EXPECT_THAT([&] { matter.blame(7, "why"); }, ThrowsMessage<InputError>("a.cuh:7: why"));
    EXPECT_THAT([&] { matter.blame(*matter.root().get("apple"), "why"); }, ThrowsMessage<InputError>("a.cuh:5: why"));
}

TEST(FrontMatter, ReportsTheFirstUnknownKeyOfTheFile) {
    const FrontMatter matter = read(front_matter_text);
    constexpr std::array<std::string_view, 3> all = {"table", "zebra", "apple"};
    EXPECT_NO_THROW(matter.allow_only(all));
    constexpr std::array<std::string_view, 1> table = {"table"};
    EXPECT_THAT([&] { matter.allow_only(table); },
                ThrowsMessage<InputError>("a.cuh:4: there is no key 'zebra'; allowed are table"));
}

TEST(FrontMatter, VisitsEntriesInTheOrderOfTheFile) {
    const FrontMatter matter = read(front_matter_text);
    std::string order;
    in_file_order(matter.root(), [&](const std::string& key, const toml::node&) { order += key + " "; });
    in_file_order(*matter.root()["table"].as_table(), [&](const std::string& key, const toml::node&) { order += key; });
    EXPECT_EQ(order, "zebra apple table yx");
    order.clear();
    const toml::table one_line = toml::parse("t = { c = 1, a = 2, b = 3 }");
    in_file_order(*one_line["t"].as_table(), [&](const std::string& key, const toml::node&) { order += key; });
    EXPECT_EQ(order, "cab");
}

TEST(FrontMatter, RejectsMissingUnfinishedOrInvalidFrontMatter) {
    for (const char* text : {"", "int x;", "/* redtune\n*/", "/*redtune\nx = 1\n"}) {
        EXPECT_THAT([&] { read(text); }, ThrowsMessage<InputError>(HasSubstr("a.cuh:1: a file of things begins with")))
            << text;
    }
    EXPECT_THAT([] { read("\n/*redtune\nx = 1\ny = \nz = 2\n*/"); },
                ThrowsMessage<InputError>(HasSubstr("a.cuh:4: not TOML:")));
    EXPECT_TRUE(read("/*redtune*/").root().empty());
}

TEST(FrontMatter, RejectsWhatTheParserMustNotSee) {
    EXPECT_THAT([] { read("\n/*redtune\nx = 1\n[/e]\n*/"); },
                ThrowsMessage<InputError>(HasSubstr("a.cuh:4: not TOML: a table begins with its name")));
    EXPECT_THAT([] { read("/*redtune\nx = 1 \xef\xaf\x9f\n*/"); },
                ThrowsMessage<InputError>(HasSubstr("a.cuh:2: not TOML: characters outside of comments")));
}

TEST(FrontMatter, IdentifiersAreLowerCase) {
    for (const char* name : {"a", "_", "block", "vector_bytes", "x2", "_0"}) EXPECT_TRUE(is_identifier(name)) << name;
    for (const char* name : {"", "2x", "Block", "a b", "a-b", "a.b", "\xc3\xa9"})
        EXPECT_FALSE(is_identifier(name)) << name;
}

}  // namespace
}  // namespace redtune
