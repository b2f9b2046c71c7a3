#include "tuner/cli/messages.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace redtune::cli {
namespace {

/// Returns what is printed on stderr with these arguments.
std::string output_with(const std::string& arguments) {
    CLI::App app;
    add_verbosity_options(app);
    app.parse(arguments);
    testing::internal::CaptureStderr();
    note("a {}\n", "note");
    detail("a {}\n", "detail");
    return testing::internal::GetCapturedStderr();
}

/// Restores the verbosity at the end of a test.
class MessagesTest : public testing::Test {
  protected:
    MessagesTest() = default;
    ~MessagesTest() override { choose_verbosity(Verbosity::normal); }
    MessagesTest(const MessagesTest&) = delete;
    MessagesTest& operator=(const MessagesTest&) = delete;
};

TEST_F(MessagesTest, QuietHidesNotesAndVerboseShowsDetails) {
    EXPECT_EQ(output_with(""), "a note\n");
    EXPECT_EQ(output_with("--quiet"), "");
    EXPECT_EQ(output_with("--verbose"), "a note\na detail\n");
    EXPECT_THROW(output_with("--quiet --verbose"), CLI::ExcludesError);
}

}  // namespace
}  // namespace redtune::cli
