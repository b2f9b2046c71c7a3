#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tuner/cli/command.h"

namespace redtune::cli {

namespace {

constexpr std::array<std::pair<const char*, Format>, 4> formats = {
    {{"table", Format::table}, {"json", Format::json}, {"csv", Format::csv}, {"md", Format::md}}};

}  // namespace

void add_format_option(CLI::App& command, Format& format) {
    std::vector<std::string> names;
    std::string chosen;
    for (const auto& [name, value] : formats) {
        names.emplace_back(name);
        if (value == format) chosen = name;
    }
    // A CheckedTransformer would also accept the numbers of the enumerators, IsMember accepts only the names.
    command
        .add_option_function<std::string>(
            "--format",
            [&format](const std::string& text) {
                for (const auto& [name, value] : formats) {
                    if (name == text) format = value;
                }
            },
            "Output format; a table fits 80 to 120 columns, the others have every column")
        ->check(CLI::IsMember(names))
        ->default_str(chosen);
    // CLI11 runs callbacks in the order in which options were added, so `format` already has the value of --format.
    command.add_flag_callback(
        "--wide",
        [&format] {
            if (format == Format::table) format = Format::wide_table;
        },
        "A table with every column and every parameter, of any width");
}

}  // namespace redtune::cli
