#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// Returns a size in elements from text such as "4096", "16Ki", "16Mi", "4Gi" or "1Ti".
/// @throws InputError with the allowed forms.
std::uint64_t parse_size(std::string_view text);

/// Returns sizes in ascending order, each once. The text is a list, separated by commas, of sizes and ranges:
/// "1Ki..1Gi" is every power of two times its first size, "1Ki..1Gi:4" has four sizes per octave.
/// @throws InputError with the allowed forms.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

/// Returns the shortest text that parse_size() reads as n: "16Mi", "1000003".
std::string format_size(std::uint64_t n);

}  // namespace redtune
