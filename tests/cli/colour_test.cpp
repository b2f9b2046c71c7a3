#include "tuner/cli/colour.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "tests/support/database_fixture.h"
#include "tests/support/pseudo_terminal.h"

namespace redtune::cli {
namespace {

/// Restores the choice at the end of a test.
class ColourTest : public testing::Test {
  protected:
    ColourTest() = default;
    ~ColourTest() override { choose_colour(ColourChoice::automatic); }
    ColourTest(const ColourTest&) = delete;
    ColourTest& operator=(const ColourTest&) = delete;

    static void parse(const char* when) {
        CLI::App app;
        add_colour_option(app);
        app.parse(std::string("--color ") + when);
    }

    db::ScopedVariable term_{"TERM", "xterm"};
    db::ScopedVariable no_color_{"NO_COLOR", ""};
    test::PseudoTerminal terminal_{80};
};

TEST_F(ColourTest, ATerminalHasColoursUnlessTheEnvironmentForbidsThem) {
    if (terminal_.descriptor() < 0) GTEST_SKIP() << "no pseudo-terminal; is /dev/pts mounted?";
    EXPECT_EQ(styled("heading", Style::heading, terminal_.descriptor()), "\x1b[1mheading\x1b[0m");
    {
        const db::ScopedVariable no_color("NO_COLOR", "1");
        EXPECT_EQ(styled("heading", Style::heading, terminal_.descriptor()), "heading");
    }
    const db::ScopedVariable dumb("TERM", "dumb");
    EXPECT_FALSE(has_colour(terminal_.descriptor()));
}

TEST_F(ColourTest, AFileHasColoursOnlyIfTheOptionSaysSo) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    EXPECT_FALSE(has_colour(ends[1]));
    const db::ScopedVariable no_color("NO_COLOR", "1");
    parse("always");
    EXPECT_EQ(styled("ok", Style::good, ends[1]), "\x1b[32mok\x1b[0m");
    parse("auto");
    EXPECT_FALSE(has_colour(ends[1]));
    close(ends[0]);
    close(ends[1]);
}

TEST_F(ColourTest, TheOptionSwitchesColoursOffOnATerminal) {
    if (terminal_.descriptor() < 0) GTEST_SKIP() << "no pseudo-terminal; is /dev/pts mounted?";
    ASSERT_TRUE(has_colour(terminal_.descriptor()));
    parse("never");
    EXPECT_FALSE(has_colour(terminal_.descriptor()));
    EXPECT_THROW(parse("sometimes"), CLI::ValidationError);
}

}  // namespace
}  // namespace redtune::cli
