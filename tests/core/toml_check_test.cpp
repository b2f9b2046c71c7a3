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

TEST(TomlCheck, FindsCharactersThatAreNotAscii) {
    constexpr auto sign = "\xef\xaf\x9f";  // U+FBDF, for which toml++ reaches code that it declares unreachable
    for (const std::string& toml :
         {std::string("x\n") + sign, std::string("x = 1 ") + sign, "x = 'a'" + std::string(sign),
          "x = \"\\\"\" " + std::string(sign), "x = '''a'''''" + std::string(sign), "x = '\n" + std::string(sign),
          "# a\n" + std::string(sign)}) {
        EXPECT_TRUE(find_toml_flaw(toml)) << toml;
    }
    for (const std::string& toml :
         {"x = '" + std::string(sign) + "'", "x = \"\\\"" + std::string(sign) + "\"", "# " + std::string(sign),
          "x = \"\"\"\n\"" + std::string(sign) + "\"\"\"", "x = '''''" + std::string(sign) + "''''"}) {
        EXPECT_FALSE(find_toml_flaw(toml)) << toml;
    }
}

}  // namespace
}  // namespace redtune
