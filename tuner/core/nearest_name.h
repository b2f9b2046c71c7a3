#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// Returns the name that a person most likely meant by `typed`; an empty string if no name is near.
///
/// The comparison ignores case and the difference between '-' and '_'. These are tried in turn: a common synonym
/// ("float" means f32, "avg" means mean); the only name that begins with `typed`; the name with the smallest
/// edit_distance(), at most one error for every three letters typed.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& names);

/// Returns the end of an error message, "; did you mean 'sum'?"; an empty string if no name is near.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

/// Returns the optimal string alignment distance: how many letters must be inserted, deleted, replaced or swapped with
/// their neighbour to turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace redtune
