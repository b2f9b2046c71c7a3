#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace redtune {

/// Parses one size in elements: "4096", "16Ki", "16Mi", "4Gi", "1Ti".
/// @throws InputError with the allowed forms.
std::uint64_t parse_size(std::string_view text);

/// Returns the shortest exact form of a size: "16Mi", "1000003".
std::string format_size(std::uint64_t n);

}  // namespace redtune
