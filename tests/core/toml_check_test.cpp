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

TEST(TomlCheck, FindsAValueBehindAValue) {
    for (const char* toml : {"x = 5175----1= 1,1", "x = 1979-05-27 07:32:00", "x = 'a' 1"}) {
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
