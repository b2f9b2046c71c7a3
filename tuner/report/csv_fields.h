#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace redtune::report {

/// Returns the fields of a line of CSV. A field in double quotes may contain commas, and two double quotes stand for
/// one. A carriage return at the end of the line is left out.
std::vector<std::string> csv_fields(std::string_view line);

/// Removes the first line of a text, which may lack a line break, and returns it without the line break.
std::string_view take_line(std::string_view& text);

}  // namespace redtune::report
