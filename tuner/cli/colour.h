#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace redtune::cli {

/// When output has colours. `automatic`: if it goes to a terminal, $TERM is not "dumb", and $NO_COLOR is not set
/// (https://no-color.org).
enum class ColourChoice : std::uint8_t { automatic, always, never };

/// Sets the choice for this process, which is `automatic` at first. Not thread-safe.
void choose_colour(ColourChoice choice);
/// Adds `--color auto|always|never` to a command.
void add_colour_option(CLI::App& command);

/// The purpose of a text in the output. Each has a colour, or is printed in bold.
enum class Style : std::uint8_t { heading, curve, good, warning, bad };

/// Returns whether what is written to this file descriptor has colours.
bool has_colour(int descriptor);
/// Returns the text with the escape codes of a style, if what is written to this file descriptor has colours.
std::string styled(std::string_view text, Style style, int descriptor);

}  // namespace redtune::cli
