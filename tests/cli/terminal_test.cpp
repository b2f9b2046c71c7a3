#include "tuner/cli/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/database_fixture.h"
#include "tests/support/pseudo_terminal.h"

namespace redtune::cli {
namespace {

/// Skips its tests where no pseudo-terminal can be opened, as in a container without /dev/pts.
class TerminalTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (test::PseudoTerminal(80).descriptor() < 0) GTEST_SKIP() << "no pseudo-terminal; is /dev/pts mounted?";
    }
};

TEST_F(TerminalTest, ATableHasTheTerminalsColumnsFrom80To120) {
    for (const auto& [columns, table] :
         {std::pair<unsigned short, std::size_t>{40, 80}, {80, 80}, {93, 93}, {120, 120}, {240, 120}}) {
        const test::PseudoTerminal terminal(columns);
        EXPECT_EQ(terminal_columns(terminal.descriptor()), columns);
        EXPECT_EQ(table_columns(terminal.descriptor()), table);
    }
}

TEST_F(TerminalTest, TheVariableColumnsIsUsedIfTheTerminalReportsNoWidth) {
    const test::PseudoTerminal terminal(0);
    const db::ScopedVariable columns("COLUMNS", "90");
    EXPECT_EQ(table_columns(terminal.descriptor()), 90U);
    const db::ScopedVariable wrong("COLUMNS", "90x");
    EXPECT_EQ(table_columns(terminal.descriptor()), 80U);
}

TEST(TerminalOfAFile, Has100Columns) {
    const db::ScopedVariable columns("COLUMNS", "80");
    const int file = open("/dev/null", O_WRONLY);
    EXPECT_EQ(table_columns(file), 100U);
    EXPECT_FALSE(can_rewrite_lines(file));
    close(file);
}

TEST_F(TerminalTest, LinesAreNotRewrittenOnADumbTerminal) {
    const test::PseudoTerminal terminal(80);
    const db::ScopedVariable xterm("TERM", "xterm");
    EXPECT_TRUE(can_rewrite_lines(terminal.descriptor()));
    const db::ScopedVariable dumb("TERM", "dumb");
    EXPECT_FALSE(can_rewrite_lines(terminal.descriptor()));
}

}  // namespace
}  // namespace redtune::cli
