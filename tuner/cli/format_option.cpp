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
        if (value == format) {
            chosen = name;
        }
    }
    // IsMember and not a transformer: those take the enumerators' numbers as well.
    command
        .add_option_function<std::string>(
            "--format",
            [&format](const std::string& text) {
                for (const auto& [name, value] : formats) {
                    if (name == text) {
                        format = value;
                    }
                }
            },
            "How results are printed")
        ->check(CLI::IsMember(names))
        ->default_str(chosen);
}

}  // namespace redtune::cli
