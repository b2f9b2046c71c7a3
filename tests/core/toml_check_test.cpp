#include "tuner/core/toml_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace redtune {
namespace {

TEST(TomlCheck, FindsTablesWithoutAName) {
    for (const char* line : {"[/\x01", "[*ypes]", "[", "  [ ", "[#", "[[", "[[ .x]]", "[+x]"}) {
        const auto flaw = find_toml_flaw(std::string("x = 1\n") + line + "\ny = 2\n");
        ASSERT_TRUE(flaw) << line;
        EXPECT_EQ(flaw->line, 1) << line;
        EXPECT_THAT(std::string(flaw->message), testing::HasSubstr("[parameters]"));
    }
    for (const char* toml : {"[a]", " [ 'b-c' ]", "[[d]]", "[]", "x = [\n  1, 2]", "x = '''\n[/\n'''",
                             "x = \"\"\"\n[/\"\"\"", "# [/", "x = 1 # \"\n", "x = ''\n[a]"}) {
        EXPECT_FALSE(find_toml_flaw(toml)) << toml;
    }
}

TEST(TomlCheck, FindsCharactersOutsideOfCommentsThatAreNotAscii) {
    const std::string sign = "\xef\xaf\x9f";  // U+FBDF, for which toml++ reaches code that it declares unreachable
    for (const std::string& toml :
         {"x\n" + sign, "x = 1 " + sign, "x = '" + sign + "'", "x = '# " + sign + "'", "x = \"\"\"\\" + sign + "\"\"\"",
          "x = 9\"" + sign + "\"", "x = 0{'" + sign, "# a\n" + sign, "x = '''#'''''" + sign, "x = \"\\\"#" + sign}) {
        EXPECT_TRUE(find_toml_flaw(toml)) << toml;
    }
    for (const std::string& toml :
         {"# " + sign, "x = 1 # " + sign + "\ny = 2", "x = '\"' # " + sign, "x = '''''' # " + sign,
          "x = \"\"\"\n\"\"\"\"\" # " + sign, "x = \"\\\"\" # " + sign}) {
        EXPECT_FALSE(find_toml_flaw(toml)) << toml;
    }
}

TEST(TomlCheck, FindsCharactersThatTomlHasInStringsAndCommentsOnly) {
    for (const char* toml : {"x=175*----1= 1,1@1", "x = 1 / 2", "x = @", "x* = 1"}) {
        const auto flaw = find_toml_flaw(toml);
        ASSERT_TRUE(flaw) << toml;
        EXPECT_THAT(std::string(flaw->message), testing::HasSubstr("outside of strings and comments"));
    }
    EXPECT_FALSE(find_toml_flaw("x.y-z_1 = [+1.5, 'a*b', {t = 07:32:00}] # @\n"));
}

TEST(TomlCheck, FindsASecondEqualsSign) {
    for (const char* toml :
         {"x = 5175----1= 1,1", "x=175----1= 1,1", "x= 5175-='-1= 1,1", "x = {y = 1 = 2}", "x = = 1"}) {
        const auto flaw = find_toml_flaw(toml);
        ASSERT_TRUE(flaw) << toml;
        EXPECT_THAT(std::string(flaw->message), testing::HasSubstr("between two '='"));
    }
    EXPECT_FALSE(find_toml_flaw("x = {y = 1, z = {w = '='}}\nv = [{u = 1}, {u = 2}] # = =\nt = 1\n"));
}

TEST(TomlCheck, FindsABraceThatBeginsNoValue) {
    for (const char* toml : {"x = 517{-='-1= 1,1", "x = 1 {", "x=5{ 1", "{", "x = {{y = 1}}"}) {
        const auto flaw = find_toml_flaw(toml);
        ASSERT_TRUE(flaw) << toml;
        EXPECT_THAT(std::string(flaw->message), testing::HasSubstr("'{' begins a value"));
    }
    EXPECT_FALSE(find_toml_flaw("x = {y = {z = 1}}\nv = [ {u = 1},\n {u = '{'}] # {\n"));
}

TEST(TomlCheck, FindsControlCharacters) {
    using std::string_literals::operator""s;
    for (const std::string& toml : {"x = 51\0'----1= 1,1"s, "x = 1\x01"s, "x = '\x1f'"s, "# \x7f"s, "x = 1 \f"s}) {
        const auto flaw = find_toml_flaw(toml);
        ASSERT_TRUE(flaw);
        EXPECT_THAT(std::string(flaw->message), testing::HasSubstr("control characters"));
    }
    EXPECT_FALSE(find_toml_flaw("x\t= 1\r\n# \t\n"));
}

TEST(TomlCheck, FindsAQuoteDirectlyBehindAValue) {
    for (const char* toml : {"x = 5175--'-1= 1,1", "x = 1\"\"", "x = +'a'", "x'y' = 1"}) {
        const auto flaw = find_toml_flaw(toml);
        ASSERT_TRUE(flaw) << toml;
        EXPECT_THAT(std::string(flaw->message), testing::HasSubstr("a string may not follow"));
    }
    for (const char* toml : {"x='a'", "x.'y z'.\"w\" = 1", "x = ['a','b', 'c']", "x = {'a' = 'b','c'=1}", "'x' = ''"}) {
        EXPECT_FALSE(find_toml_flaw(toml)) << toml;
    }
}

TEST(TomlCheck, FindsAValueBehindAValue) {
    for (const char* toml : {"x = 5[ 1", "x = 1979-05-27 07:32:00", "x = 'a' 1"}) {
        const auto flaw = find_toml_flaw(toml);
        ASSERT_TRUE(flaw) << toml;
        EXPECT_THAT(std::string(flaw->message), testing::HasSubstr("white space ends a value"));
    }
    for (const char* toml :
         {"x = 1", "x = [1, 2, 3 ]", "x = [ 1,\n 2]", "  12 = 3", "x = 'a 1'", "x = 1  # 2 3", "x = {a = 1}"}) {
        EXPECT_FALSE(find_toml_flaw(toml)) << toml;
    }
}

TEST(TomlCheck, FindsABraceInPlaceOfAValue) {
    for (const char* toml : {"x = [}", "x = [1, }", "x = [ # [\n }", "x = {a = [}}", "x = {a = 1,\r\n\t}"}) {
        const auto flaw = find_toml_flaw(toml);
        ASSERT_TRUE(flaw) << toml;
        EXPECT_THAT(std::string(flaw->message), testing::HasSubstr("value is missing"));
    }
    for (const char* toml :
         {"x = {}", "x = {a = []}", "x = [{}]", "x = ['[', {a = ','}]", "# [}", "x = ['}', \"}\"]"}) {
        EXPECT_FALSE(find_toml_flaw(toml)) << toml;
    }
}

}  // namespace
}  // namespace redtune
