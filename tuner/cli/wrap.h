#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

/// Returns how many columns a text takes on a terminal: its code points, so that the micro sign counts once.
std::size_t display_width(std::string_view text);

/// Returns a text as lines of at most `columns`, broken behind one of the characters `breaks`. A part without a break
/// that is longer makes a line of its own. Spaces at the end of a line, and at the start of every line but the first,
/// are left out; an empty text is one empty line.
std::vector<std::string> wrap(std::string_view text, std::size_t columns, std::string_view breaks);

/// Returns the fewest columns that wrap() can keep to: the width of the longest part without a break.
std::size_t narrowest_wrap(std::string_view text, std::string_view breaks);

}  // namespace redtune::cli
