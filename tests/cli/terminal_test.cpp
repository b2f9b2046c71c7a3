#include "tuner/cli/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/support/database_fixture.h"

namespace redtune::cli {
namespace {

/// A pseudo-terminal of this many columns; 0: it does not report its width.
class PseudoTerminal {
  public:
    explicit PseudoTerminal(unsigned short columns) : controller_(posix_openpt(O_RDWR | O_NOCTTY)) {
        if (controller_ < 0 || grantpt(controller_) != 0 || unlockpt(controller_) != 0) return;
        descriptor_ = open(ptsname(controller_), O_RDWR | O_NOCTTY);
        const winsize size{24, columns, 0, 0};
        ioctl(descriptor_, TIOCSWINSZ, &size);
    }
    ~PseudoTerminal() {
        close(descriptor_);
        close(controller_);
    }
    PseudoTerminal(const PseudoTerminal&) = delete;
    PseudoTerminal& operator=(const PseudoTerminal&) = delete;

    int descriptor() const { return descriptor_; }

  private:
    int controller_;
    int descriptor_ = -1;
};

/// Skips its tests where no pseudo-terminal can be opened, as in a container without /dev/pts.
class TerminalTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (PseudoTerminal(80).descriptor() < 0) GTEST_SKIP() << "no pseudo-terminal; is /dev/pts mounted?";
    }
};

TEST_F(TerminalTest, ATableHasTheTerminalsColumnsFrom80To100) {
    for (const auto& [columns, table] :
         {std::pair<unsigned short, std::size_t>{40, 80}, {80, 80}, {93, 93}, {100, 100}, {240, 100}}) {
        const PseudoTerminal terminal(columns);
        EXPECT_EQ(terminal_columns(terminal.descriptor()), columns);
        EXPECT_EQ(table_columns(terminal.descriptor()), table);
    }
}

TEST_F(TerminalTest, TheVariableColumnsIsUsedIfTheTerminalReportsNoWidth) {
    const PseudoTerminal terminal(0);
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
    const PseudoTerminal terminal(80);
    const db::ScopedVariable xterm("TERM", "xterm");
    EXPECT_TRUE(can_rewrite_lines(terminal.descriptor()));
    const db::ScopedVariable dumb("TERM", "dumb");
    EXPECT_FALSE(can_rewrite_lines(terminal.descriptor()));
}

}  // namespace
}  // namespace redtune::cli
