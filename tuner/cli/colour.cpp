#include "tuner/cli/colour.h"

#include <fmt/color.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "tuner/core/environment.h"

namespace redtune::cli {

namespace {

ColourChoice& choice() {
    static ColourChoice chosen = ColourChoice::automatic;
    return chosen;
}

fmt::text_style text_style(Style style) {
    switch (style) {
        case Style::curve:
            return fmt::fg(fmt::terminal_color::cyan);
        case Style::good:
            return fmt::fg(fmt::terminal_color::green);
        case Style::warning:
            return fmt::fg(fmt::terminal_color::yellow);
        case Style::bad:
            return fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);
        case Style::heading:
            break;
    }
    return fmt::emphasis::bold;
}

}  // namespace

void choose_colour(ColourChoice chosen) {
    choice() = chosen;
}

void add_colour_option(CLI::App& command) {
    command
        .add_option_function<std::string>(
            "--color",
            [](const std::string& when) {
                choose_colour(when == "always"  ? ColourChoice::always
                              : when == "never" ? ColourChoice::never
                                                : ColourChoice::automatic);
            },
            "Colours: auto has them on a terminal, unless $NO_COLOR is set")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->default_str("auto");
}

bool has_colour(int descriptor) {
    if (choice() != ColourChoice::automatic) return choice() == ColourChoice::always;
    return isatty(descriptor) == 1 && environment_variable("TERM").value_or("dumb") != "dumb" &&
           environment_variable("NO_COLOR").value_or("").empty();
}

std::string styled(std::string_view text, Style style, int descriptor) {
    if (!has_colour(descriptor)) return std::string(text);
    return fmt::format(text_style(style), "{}", text);
}

}  // namespace redtune::cli
