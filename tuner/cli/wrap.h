#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

/// Returns the number of columns that a text takes on a terminal. It counts code points, so the micro sign counts once.
std::size_t display_width(std::string_view text);

/// Returns a text as lines of at most `columns`, broken after any of the characters `breaks`. A part without a break
/// that is longer becomes a line of its own. Spaces at the end of a line, and at the start of every line but the first,
/// are removed; an empty text is one empty line.
std::vector<std::string> wrap(std::string_view text, std::size_t columns, std::string_view breaks);

/// Returns the least width that wrap() can keep to: the width of the longest part without a break.
std::size_t narrowest_wrap(std::string_view text, std::string_view breaks);

/// Returns the label followed by the text, broken at spaces into lines of at most `columns`. Every line but the first
/// is indented by the width of the label.
std::string wrap_after_label(std::string_view label, std::string_view text, std::size_t columns);

}  // namespace redtune::cli
