#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>

#include "tuner/cli/command.h"

namespace redtune::cli {
namespace {

Format parsed(const std::string& arguments, Format start = Format::table) {
    CLI::App app;
    Format format = start;
    add_format_option(app, format);
    app.parse(arguments);
    return format;
}

TEST(FormatOption, TakesEveryFormat) {
    EXPECT_EQ(parsed("--format json"), Format::json);
    EXPECT_EQ(parsed("--format csv"), Format::csv);
    EXPECT_EQ(parsed("--format md"), Format::md);
    EXPECT_EQ(parsed("--format table", Format::json), Format::table);
}

TEST(FormatOption, KeepsTheDefaultIfNoFormatIsGiven) {
    EXPECT_EQ(parsed(""), Format::table);
    EXPECT_EQ(parsed("", Format::md), Format::md);
}

TEST(FormatOption, RefusesOtherFormatsAndListsTheAllowedOnes) {
    for (const auto* wrong : {"--format xml", "--format 1", "--format JSON"}) {
        try {
            parsed(wrong);
            ADD_FAILURE() << wrong << " was taken";
        } catch (const CLI::ValidationError& error) {
            const std::string message = error.what();
            for (const auto* name : {"table", "json", "csv", "md"}) {
                EXPECT_NE(message.find(name), std::string::npos) << message;
            }
        }
    }
}

TEST(FormatOption, ShowsItsDefaultInTheHelp) {
    CLI::App app;
    Format format = Format::csv;
    add_format_option(app, format);
    EXPECT_EQ(app.get_option("--format")->get_default_str(), "csv");
}

}  // namespace
}  // namespace redtune::cli
