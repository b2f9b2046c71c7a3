#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "tuner/core/json_object.h"

namespace redtune::db {

/// The length of the longest line that an import reads, in bytes. A measurement with 10,000 samples has 100 KB.
inline constexpr std::size_t longest_json_line = std::size_t{16} << 20;

/// Reads the next line, without its end, into `line`. Of a longer line, reads only the first longest_json_line + 1
/// bytes and skips the rest. Returns false at the end of the stream.
bool read_json_line(std::istream& in, std::string& line);

/// Returns the JSON object that a line is.
/// @throws InputError if the line is too long, is no JSON object, or if an object in it has two members of one name
Json parse_json_line(std::string_view line);

}  // namespace redtune::db
