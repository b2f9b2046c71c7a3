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

/// Returns the error message of parsing the text; "" if it is parsed without error.
std::string error_of(const std::string& text) {
    try {
        parse_families("mine.cuh", text);
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

/// Returns the front matter `good` with `old_text` replaced by `new_text`.
std::string with_replaced(const std::string& old_text, const std::string& new_text) {
    std::string text = good;
    return text.replace(text.find(old_text), old_text.size(), new_text);
}

TEST(Family, MayNameTheParameterThatGrowsWithTheRowLength) {
    EXPECT_EQ(parse_families("mine.cuh", good).front().grows_with_row_length, "");
    const std::string named = with_replaced("summary", "grows_with_row_length = \"block\"\nsummary");
    EXPECT_EQ(parse_families("mine.cuh", named).front().grows_with_row_length, "block");
}

TEST(Family, ParametersHaveTheOrderOfTheFile) {
    const Family family = parse_families("mine.cuh", good).front();
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
    const char* location;  // file and line that the error must name
    const char* phrase;    // text that the error must contain
};

/// Prints the parameter of the test; ctest shows it in the test's name.
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) {
    return out << "'" << wrong.old_text << "' as '" << wrong.new_text << "'";
}

class WrongFrontMatter : public testing::TestWithParam<Wrong> {};

TEST_P(WrongFrontMatter, IsReportedWithItsLine) {
    const std::string message = error_of(with_replaced(GetParam().old_text, GetParam().new_text));
    EXPECT_EQ(message.find(GetParam().location), 0U) << message;
    EXPECT_NE(message.find(GetParam().phrase), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Family, WrongFrontMatter,
    testing::Values(
        Wrong{"/*redtune", "/*", "mine.cuh:1:", "front matter"},
        Wrong{"[64, 128]", "[64, 128", "mine.cuh:", "not TOML"},
        Wrong{"family  = \"mine\"", "family = 3", "mine.cuh:2:", "must be a string"},
        Wrong{"family  = \"mine\"", "family = \"My Family\"", "mine.cuh:1:", "a-z"},
        Wrong{"summary", "sumary", "mine.cuh:3:", "allowed are family, summary"},
        Wrong{"\"8.0\"", "\"8\"", "mine.cuh:4:", "7.5"}, Wrong{"\"8.0\"", "\"999999997.5\"", "mine.cuh:4:", "7.5"},
        Wrong{"\"8.0\"", "\"-8.0\"", "mine.cuh:4:", "7.5"}, Wrong{"\"8.0\"", "\"8.-1\"", "mine.cuh:4:", "7.5"},
        Wrong{"[64, 128]", "64", "mine.cuh:6:", "list"}, Wrong{"[64, 128]", "[]", "mine.cuh:6:", "list"},
        Wrong{"[64, 128]", "[1.5]", "mine.cuh:6:", "whole"},
        Wrong{"[64, 128]", "[\"a b\"]", "mine.cuh:6:", "enumerator"},
        Wrong{"block  = [64", "n = [64", "mine.cuh:6:", "meaning of its own"},
        Wrong{"block  = [64", "Block = [64", "mine.cuh:6:", "a-z"},
        Wrong{"blocks_per_sm", "block", "mine.cuh:9:", "twice"},
        Wrong{"summary", "grows_with_row_length = \"width\"\nsummary", "mine.cuh:3:", "'width' is no parameter"},
        Wrong{"summary", "grows_with_row_length = \"finish\"\nsummary", "mine.cuh:3:", "whole numbers"},
        Wrong{"[0.5, 1]", "[\"a\"]", "mine.cuh:9:", "launch parameters are numbers"},
        Wrong{"tile  =", "tiles =", "mine.cuh:10:", "'tile'"},
        Wrong{"half  =", "block =", "mine.cuh:12:", "parameter already"},
        Wrong{"[\"half > 8\"]", "\"half > 8\"", "mine.cuh:13:", "list"},
        Wrong{"[\"half > 8\"]", "[true]", "mine.cuh:13:", "SQL"},
        Wrong{"[compile]\nblock  = [64, 128]", "[compile]\n", "mine.cuh:10:", "'block'"},
        Wrong{"summary = \"A family\"", "shapes = [\"whole\",\n\"round\"]", "mine.cuh:4:", "whole, rows"},
        Wrong{"summary = \"A family\"", "shapes = []", "mine.cuh:3:", "list"},
        Wrong{"summary = \"A family\"", "shapes = \"rows\"", "mine.cuh:3:", "list"},
        Wrong{"summary = \"A family\"", "shapes = [3]", "mine.cuh:3:", "whole, rows"},
        Wrong{"summary = \"A family\"", "destructive = \"yes\"", "mine.cuh:3:", "true or false"},
        Wrong{"block  = [64", "row_length = [64", "mine.cuh:6:", "meaning of its own"},
        Wrong{"half  =", "exact =", "mine.cuh:12:", "cannot be a derived value's name"},
        Wrong{"summary = \"A family\"", "variants = 3", "mine.cuh:3:", "table of families"},
        Wrong{"[compile]", "[variants]\n[compile]", "mine.cuh:5:", "table of families"},
        Wrong{"[compile]", "[variants]\nmine64 = 64\n[compile]", "mine.cuh:6:", "NAME ="},
        Wrong{"[compile]", "[variants]\nMine = { block = 64 }\n[compile]", "mine.cuh:6:", "NAME ="},
        Wrong{"[compile]", "[variants]\nmine64 = { blok = 64 }\n[compile]", "mine.cuh:6:", "not a compile parameter"},
        Wrong{"[compile]", "[variants]\nmine1 = { blocks_per_sm = 1 }\n[compile]",
              "mine.cuh:6:", "not a compile parameter"},
        Wrong{"[compile]", "[variants]\nok = { block = 64 }\nmine256 = { block = 256 }\n[compile]",
              "mine.cuh:7:", "not in its list"},
        Wrong{"\"ticket\"", "\"tikcet\"", "mine.cuh:7:", "did you mean 'ticket'?"},
        Wrong{"\"ticket\"", "3", "mine.cuh:7:", "there is no finish '3'; allowed are two_kernel"},
        Wrong{"half  = \"tile / 2\"", "half = 2\nshared_byte = 4", "mine.cuh:13:",
              "'shared_byte' means nothing to redtune, and no later expression uses it; redtune reads block"},
        Wrong{"half  = \"tile / 2\"", "half = 2\nshared_byte = 4", "mine.cuh:13:", "did you mean 'shared_bytes'?"},
        Wrong{"half  = \"tile / 2\"", "slots_zerod = 1\nhalf = \"slots_zerod\"",
              "mine.cuh:12:", "did you mean 'slots_zeroed'?"},
        Wrong{"half  = \"tile / 2\"", "half = 2\nother = \"'half'\"",
              "mine.cuh:13:", "'other' means nothing to redtune"},
        Wrong{"half  =", "back_to_back =", "mine.cuh:12:", "cannot be a derived value's name"},
        Wrong{"block  = [64", "back_to_back = [64", "mine.cuh:6:", "meaning of its own"},
        Wrong{"[derived]", "[defaults]\nblok = 64\n[derived]", "mine.cuh:11:", "did you mean 'block'?"},
        Wrong{"[derived]", "[defaults]\nblock = 256\n[derived]", "mine.cuh:11:", "one of its values"},
        Wrong{"[derived]", "[defaults]\nfinish = 1.5\n[derived]", "mine.cuh:11:", "whole number"},
        Wrong{"summary = \"A family\"", "defaults = 3", "mine.cuh:3:", "must be a table"},
        Wrong{"[compile]", "[role]\nstep = 1\n[compile]", "mine.cuh:5:", "give both"},
        Wrong{"[compile]", "[role]\nladder = \"shared\"\n[compile]", "mine.cuh:5:", "give both"},
        Wrong{"[compile]", "[role]\nladder = \"shared\"\nstep = 0\n[compile]", "mine.cuh:7:", "from 1"},
        Wrong{"[compile]", "[role]\nladder = 3\nstep = 1\n[compile]", "mine.cuh:6:", "set-up"},
        Wrong{"[compile]", "[role]\nbaseline = 1\n[compile]", "mine.cuh:6:", "true or false"},
        Wrong{"[compile]", "[role]\nbase_line = true\n[compile]", "mine.cuh:6:",
              "there is no key of [role] 'base_line'; allowed are ladder, step, represents_redtune, "
              "baseline; did you mean 'baseline'?"},
        Wrong{"summary = \"A family\"", "role = \"baseline\"", "mine.cuh:3:", "must be a table"},
        Wrong{"[compile]", "[variants]\nmine64 = { block = 64.0 }\n[compile]", "mine.cuh:6:", "whole"}));

TEST(Family, MissingKeysHaveDefaults) {
    const std::vector<Family> families = parse_families("mine.cuh", good);
    ASSERT_EQ(families.size(), 1U);
    EXPECT_EQ(families[0].kernel, "mine");
    EXPECT_EQ(families[0].shapes, std::vector<std::string>{"whole"});
    EXPECT_FALSE(families[0].destructive);
    EXPECT_EQ(families[0].source, good);
    EXPECT_EQ(families[0].path, "mine.cuh");
}

TEST(Family, ReadsShapesAndDestructive) {
    const Family family =
        parse_families("mine.cuh",
                       with_replaced("[compile]", "shapes = [\"rows\", \"whole\"]\ndestructive = true\n[compile]"))
            .front();
    EXPECT_EQ(family.shapes, (std::vector<std::string>{"rows", "whole"}));
    EXPECT_TRUE(family.destructive);
    EXPECT_FALSE(
        parse_families("mine.cuh", with_replaced("[compile]", "destructive = false\n[compile]")).front().destructive);
}

TEST(Family, VariantsShareAKernelAndFixCompileParameters) {
    const std::vector<Family> variants = parse_families(
        "mine.cuh", with_replaced("[compile]",
                                  "[variants]\nsmall = { block = 64 }\nlarge = { finish = \"publish\", block = 128 "
                                  "}\nall = {}\n[compile]"));
    ASSERT_EQ(variants.size(), 3U);
    EXPECT_EQ(variants[0].name, "small") << "in the file's order";
    EXPECT_EQ(variants[1].name, "large");
    EXPECT_EQ(variants[2].name, "all");
    for (const Family& variant : variants) {
        EXPECT_EQ(variant.kernel, "mine");
        EXPECT_EQ(variant.path, "mine.cuh");
        ASSERT_EQ(variant.parameters.size(), 3U) << "template arguments stay in their place";
        EXPECT_EQ(variant.parameters[0].name, "block");
        EXPECT_EQ(variant.parameters[1].name, "finish");
        EXPECT_EQ(variant.derived.size(), 2U);
    }
    EXPECT_EQ(variants[0].parameters[0].values, std::vector<Value>{std::int64_t{64}});
    EXPECT_EQ(variants[0].parameters[1].values.size(), 2U);
    EXPECT_EQ(variants[1].parameters[0].values, std::vector<Value>{std::int64_t{128}});
    EXPECT_EQ(variants[1].parameters[1].values, std::vector<Value>{std::string("publish")});
    EXPECT_EQ(variants[2].parameters[0].values.size(), 2U);
}

TEST(Family, ReadsDefaults) {
    const Family family =
        parse_families("mine.cuh",
                       with_replaced("[derived]", "[defaults]\nfinish = \"publish\"\nblocks_per_sm = 0.5\n[derived]"))
            .front();
    ASSERT_NE(family.default_of("finish"), nullptr);
    EXPECT_EQ(*family.default_of("finish"), Value("publish"));
    ASSERT_NE(family.default_of("blocks_per_sm"), nullptr);
    EXPECT_EQ(*family.default_of("blocks_per_sm"), Value(0.5));
    EXPECT_EQ(family.default_of("block"), nullptr);
    EXPECT_EQ(family.default_of("no_such_parameter"), nullptr);
}

TEST(Family, PrintsConfigurationsWithoutDefaultValues) {
    const Family family =
        parse_families("mine.cuh",
                       with_replaced("[derived]", "[defaults]\nfinish = \"publish\"\nblocks_per_sm = 1\n[derived]"))
            .front();
    const auto shown = [&](const std::string& finish, double blocks_per_sm) {
        const Value blocks = blocks_per_sm == 1 ? Value(std::int64_t{1}) : Value(blocks_per_sm);
        return to_string_without_defaults(
            {"mine", {{"block", std::int64_t{64}}, {"finish", finish}, {"blocks_per_sm", blocks}}}, family);
    };
    EXPECT_EQ(shown("publish", 1), "mine(block=64)");
    EXPECT_EQ(shown("ticket", 1), "mine(block=64, finish=ticket)");
    EXPECT_EQ(shown("publish", 0.5), "mine(block=64, blocks_per_sm=0.5)");
    EXPECT_EQ(to_string_without_defaults({"mine", {{"block", std::int64_t{64}}, {"old", std::int64_t{1}}}}, family),
              "mine(block=64, old=1)")
        << "a parameter that the family no longer has is shown";
}

TEST(Family, VariantsKeepADefaultOnlyIfItIsTheirFixedValue) {
    const std::vector<Family> variants =
        parse_families("mine.cuh", with_replaced("[compile]",
                                                 "[defaults]\nblock = 64\n[variants]\nsmall = { block = 64 }\n"
                                                 "large = { block = 128 }\n[compile]"));
    ASSERT_EQ(variants.size(), 2U);
    EXPECT_NE(variants[0].default_of("block"), nullptr);
    EXPECT_EQ(variants[1].default_of("block"), nullptr);
}

TEST(Family, ReadsTheRole) {
    const FamilyRole none = parse_families("mine.cuh", good).front().role;
    EXPECT_EQ(none.ladder, "");
    EXPECT_EQ(none.step, 0U);
    EXPECT_FALSE(none.represents_redtune);
    EXPECT_FALSE(none.baseline);
    const FamilyRole step =
        parse_families("mine.cuh",
                       with_replaced("[compile]", "[role]\nladder = \"shared\"\nstep = 3\nbaseline = true\n[compile]"))
            .front()
            .role;
    EXPECT_EQ(step.ladder, "shared");
    EXPECT_EQ(step.step, 3U);
    EXPECT_TRUE(step.baseline);
    EXPECT_FALSE(step.represents_redtune);
}

TEST(Family, VariantsOfALadderStepAreConsecutiveSteps) {
    const std::vector<Family> variants = parse_families(
        "mine.cuh",
        with_replaced("[compile]",
                      "[role]\nladder = \"mine\"\nstep = 4\n[variants]\nsmall = { block = 64 }\nlarge = { block = 128 "
                      "}\n[compile]"));
    ASSERT_EQ(variants.size(), 2U);
    EXPECT_EQ(variants[0].role.step, 4U);
    EXPECT_EQ(variants[1].role.step, 5U);
}

TEST(Family, LaterExpressionsMayUseDerivedValues) {
    EXPECT_EQ(error_of(with_replaced("half  = \"tile / 2\"", "quarter = \"tile / 4\"\nhalf = \"2 * QUARTER\"")), "");
}

TEST(Family, ValidFrontMatterHasNoError) {
    EXPECT_EQ(error_of(good), "");
}

}  // namespace
}  // namespace redtune
