#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::db {

/// Samples in their order as a JSON array, rounded to 5 significant digits: the clock has no more to say, and
/// samples are most of what a database holds. What is not finite is kept as null.
std::string samples_to_json(std::span<const double> samples_us);

/// null reads as not-a-number.
/// @throws DatabaseError where the text is not an array of numbers.
std::vector<double> samples_from_json(std::string_view json);

}  // namespace redtune::db
