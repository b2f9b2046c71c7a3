#include "tuner/cli/wrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace redtune::cli {
namespace {

using testing::ElementsAre;

TEST(Wrap, BreaksLinesAfterTheGivenCharacters) {
    EXPECT_THAT(wrap("tile(block=64, unroll=8)", 15, " ("), ElementsAre("tile(block=64,", "unroll=8)"));
    EXPECT_THAT(wrap("tile(block=64, unroll=8)", 10, " ("), ElementsAre("tile(", "block=64,", "unroll=8)"));
    EXPECT_THAT(wrap("speedup_over_classic", 9, "_ "), ElementsAre("speedup_", "over_", "classic"));
    EXPECT_THAT(wrap("a, b; c", 3, ",;"), ElementsAre("a,", "b;", "c"));
}

TEST(Wrap, LeavesTextThatFitsOrCannotBeBroken) {
    EXPECT_THAT(wrap("short", 80, " "), ElementsAre("short"));
    EXPECT_THAT(wrap("", 80, " "), ElementsAre(""));
    EXPECT_THAT(wrap("unbreakable", 3, " "), ElementsAre("unbreakable"));
    EXPECT_EQ(narrowest_wrap("a bcd ef", " "), 3U);
    EXPECT_EQ(narrowest_wrap("", " "), 0U);
}

TEST(Wrap, CountsCodePoints) {
    EXPECT_EQ(display_width("\u00b5s"), 2U);
    EXPECT_THAT(wrap("\u00b5\u00b5 \u00b5\u00b5", 5, " "), ElementsAre("\u00b5\u00b5 \u00b5\u00b5"));
}

TEST(Wrap, FurtherLinesAreIndentedByTheLabel) {
    EXPECT_EQ(wrap_after_label("so: ", "no kernel can be timed", 14), "so: no kernel\n    can be\n    timed");
    EXPECT_EQ(wrap_after_label("so: ", "nothing", 80), "so: nothing");
    EXPECT_EQ(wrap_after_label("label ", "two words", 3), "label two\n      words") << "a part is never broken";
    EXPECT_EQ(wrap_after_label("so: ", "", 80), "so: ");
}

RC_GTEST_PROP(WrapProperty, LosesOnlySpacesAndKeepsLinesWithinTheWidth, ()) {
    const auto text = *rc::gen::container<std::string>(rc::gen::element('a', 'b', ' ', ',', '('));
    const auto columns = *rc::gen::inRange<std::size_t>(1, 30);
    std::string joined;
    for (const std::string& line : wrap(text, columns, " ,(")) {
        RC_ASSERT(line.size() <= std::max(columns, narrowest_wrap(text, " ,(")));
        joined += line;
    }
    const auto without_spaces = [](std::string with) {
        std::erase(with, ' ');
        return with;
    };
    RC_ASSERT(without_spaces(joined) == without_spaces(text));
}

}  // namespace
}  // namespace redtune::cli
