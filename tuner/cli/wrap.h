#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

/// Returns the number of columns that a text takes on a terminal: its number of code points, so a micro sign counts
/// once.
std::size_t display_width(std::string_view text);

/// Returns a text as lines of at most `columns` characters. A line may end after any of the characters in `breaks`; a
/// longer part without such a character becomes a line of its own. Spaces are removed at the end of every line and at
/// the start of every line but the first. An empty text gives one empty line.
std::vector<std::string> wrap(std::string_view text, std::size_t columns, std::string_view breaks);

/// Returns the least width to which wrap() can break a text: the width of its longest part without a break.
std::size_t narrowest_wrap(std::string_view text, std::string_view breaks);

/// Returns the label followed by the text, broken at spaces into lines of at most `columns`. Every line but the first
/// is indented by the width of the label.
std::string wrap_after_label(std::string_view label, std::string_view text, std::size_t columns);

}  // namespace redtune::cli
