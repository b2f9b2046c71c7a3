#include "tuner/core/family.h"

#include <gtest/gtest.h>

#include <ostream>

#include "redtune/error.h"

namespace redtune {
namespace {

const std::string good = R"(/*redtune
family  = "mine"
summary = "A family"
minimum_compute_capability = "8.0"
[compile]
block  = [64, 128]
finish = ["ticket", "publish"]
[launch]
blocks_per_sm = [0.5, 1]
[derived]
tile  = "block * 4"
half  = "tile / 2"
where = ["half > 8"]
*/
code
)";

/// The message of the error that reading gives, or "" if it is read.
std::string error_of(const std::string& text) {
    try {
        parse_family("mine.cuh", text);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

std::string with(const std::string& old_text, const std::string& new_text) {
    std::string text = good;
    return text.replace(text.find(old_text), old_text.size(), new_text);
}

TEST(Family, KeepsTheFilesOrder) {
    const Family family = parse_family("mine.cuh", good);
    EXPECT_EQ(family.name, "mine");
    EXPECT_EQ(family.minimum_compute_capability, 80);
    ASSERT_EQ(family.parameters.size(), 3U);
    EXPECT_EQ(family.parameters[0].name, "block");
    EXPECT_EQ(family.parameters[1].name, "finish");
    EXPECT_FALSE(family.parameters[2].compile);
    EXPECT_EQ(family.parameters[1].values, (std::vector<Value>{std::string("ticket"), std::string("publish")}));
    ASSERT_EQ(family.derived.size(), 2U);
    EXPECT_EQ(family.derived[0].name, "tile");
    EXPECT_EQ(family.derived[1].sql, "tile / 2");
    ASSERT_EQ(family.where.size(), 1U);
    EXPECT_EQ(family.where[0].line, 13);
}

struct Wrong {
    const char* old_text;
    const char* new_text;
    const char* place;   // file and line that must be blamed
    const char* phrase;  // something that helps
};

/// What ctest shows.
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) {
    return out << "'" << wrong.old_text << "' as '" << wrong.new_text << "'";
}

class WrongFrontMatter : public testing::TestWithParam<Wrong> {};

TEST_P(WrongFrontMatter, IsBlamedAtItsLine) {
    const std::string message = error_of(with(GetParam().old_text, GetParam().new_text));
    EXPECT_EQ(message.find(GetParam().place), 0U) << message;
    EXPECT_NE(message.find(GetParam().phrase), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Family, WrongFrontMatter,
    testing::Values(Wrong{"/*redtune", "/*", "mine.cuh:1:", "front matter"},
                    Wrong{"[64, 128]", "[64, 128", "mine.cuh:", "not TOML"},
                    Wrong{"family  = \"mine\"", "family = 3", "mine.cuh:2:", "must be a string"},
                    Wrong{"family  = \"mine\"", "family = \"My Family\"", "mine.cuh:1:", "a-z"},
                    Wrong{"summary", "sumary", "mine.cuh:3:", "allowed are family, summary"},
                    Wrong{"\"8.0\"", "\"8\"", "mine.cuh:4:", "7.5"}, Wrong{"[64, 128]", "64", "mine.cuh:6:", "list"},
                    Wrong{"[64, 128]", "[]", "mine.cuh:6:", "list"},
                    Wrong{"[64, 128]", "[1.5]", "mine.cuh:6:", "whole"},
                    Wrong{"[64, 128]", "[\"a b\"]", "mine.cuh:6:", "enumerator"},
                    Wrong{"block  = [64", "n = [64", "mine.cuh:6:", "meaning of its own"},
                    Wrong{"block  = [64", "Block = [64", "mine.cuh:6:", "a-z"},
                    Wrong{"blocks_per_sm", "block", "mine.cuh:9:", "twice"},
                    Wrong{"[0.5, 1]", "[\"a\"]", "mine.cuh:9:", "launch parameters are numbers"},
                    Wrong{"tile  =", "tiles =", "mine.cuh:10:", "'tile'"},
                    Wrong{"half  =", "block =", "mine.cuh:12:", "parameter already"},
                    Wrong{"[\"half > 8\"]", "\"half > 8\"", "mine.cuh:13:", "list"},
                    Wrong{"[\"half > 8\"]", "[true]", "mine.cuh:13:", "SQL"},
                    Wrong{"[compile]\nblock  = [64, 128]", "[compile]\n", "mine.cuh:10:", "'block'"},
                    Wrong{"summary = \"A family\"", "shapes = [\"round\"]", "mine.cuh:3:", "whole"}));

TEST(Family, TheTestsFrontMatterIsRight) {
    EXPECT_EQ(error_of(good), "");
}

}  // namespace
}  // namespace redtune
