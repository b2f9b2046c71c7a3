#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// Returns the name that a person most likely meant by `typed`, or an empty string where none is near.
///
/// Upper and lower case count as the same, as do '-' and '_'. A common synonym comes first ("float" means f32, "avg"
/// means mean), then the beginning of exactly one name, then the name with the fewest typing errors: letters that are
/// missing, extra, wrong or swapped with their neighbour, at most one for every three letters typed.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& names);

/// Returns "; did you mean 'sum'?", the end of an error message, or an empty string where no name is near.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

/// Returns the number of letters to insert, delete, replace or swap with their neighbour that make `a` into `b`
/// (optimal string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace redtune
