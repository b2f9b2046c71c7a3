#pragma once

#include <map>
#include <string>
#include <string_view>

namespace redtune::emit {

/// Values for the names in a text of tuner/emit/text/.
using Values = std::map<std::string, std::string, std::less<>>;

/// Returns the text `tuner/emit/text/NAME.in` with every `@name@` replaced by the value of that name.
/// @throws Error if the text does not exist, or has a name without a value
std::string fill_in(std::string_view name, const Values& values);

/// Returns the text with every occurrence of `from` replaced by `to`.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

}  // namespace redtune::emit
