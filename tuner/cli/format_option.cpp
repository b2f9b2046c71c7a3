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
    // IsMember, because a transformer would also take the enumerators' numbers.
    command
        .add_option_function<std::string>(
            "--format",
            [&format](const std::string& text) {
                for (const auto& [name, value] : formats) {
                    if (name == text) format = value;
                }
            },
            "How results are printed; a table fits 80 to 100 columns, the others have everything")
        ->check(CLI::IsMember(names))
        ->default_str(chosen);
    // CLI11 runs callbacks in the order that options were added in, so the format is known here.
    command.add_flag_callback(
        "--wide",
        [&format] {
            if (format == Format::table) format = Format::wide_table;
        },
        "Tables with every column and every parameter, however long the lines get");
}

}  // namespace redtune::cli
