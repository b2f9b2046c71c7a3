#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::db {

/// Returns the samples as a JSON array in the same order. Samples are rounded to 5 significant digits: the clock is not
/// more precise, and samples take most of a database's space. A sample that is infinite or NaN becomes null.
std::string samples_to_json(std::span<const double> samples_us);

/// Returns the samples of a JSON array; null becomes NaN.
/// @throws DatabaseError if the text is not an array of numbers.
std::vector<double> samples_from_json(std::string_view json);

}  // namespace redtune::db
