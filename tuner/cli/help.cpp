#include "tuner/cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "tuner/cli/terminal.h"
#include "tuner/cli/wrap.h"

namespace redtune::cli {

namespace {

/// Breaks descriptions into lines. CLI11 prints names in the first column_width_ columns, and indents each line of a
/// description by as many.
class FittedFormatter : public CLI::Formatter {
  public:
    std::string make_option_desc(const CLI::Option* option) const override {
        return described(CLI::Formatter::make_option_desc(option));
    }
    std::string make_subcommand(const CLI::App* command) const override {
        std::ostringstream out;
        CLI::detail::format_help(out, command->get_name(), described(command->get_description()), column_width_);
        return out.str();
    }
    std::string make_description(const CLI::App* command) const override {
        return broken(command->get_description(), columns()) + "\n";
    }
    std::string make_footer(const CLI::App* command) const override {
        const std::string footer = command->get_footer();
        return footer.empty() ? footer : broken(footer, columns()) + "\n";
    }

  private:
    static std::size_t columns() { return table_columns(STDOUT_FILENO); }
    static std::string broken(const std::string& text, std::size_t columns) {
        return fmt::format("{}", fmt::join(wrap(text, columns, " "), "\n"));
    }
    std::string described(const std::string& text) const { return broken(text, columns() - column_width_); }
};

}  // namespace

void fit_help(CLI::App& program) {
    program.formatter(std::make_shared<FittedFormatter>());
}

}  // namespace redtune::cli
