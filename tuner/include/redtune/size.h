#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace redtune {

/// Returns a size in elements from text such as "4096", "16Ki", "16Mi", "4Gi", "1Ti", "1_000_000" or "1e6".
/// @throws InputError with the allowed forms, and with the one that is probably meant (16Mi or 16e6 by 16M).
std::uint64_t parse_size(std::string_view text);

/// Returns the shortest exact form of a size: "16Mi", "1000003".
std::string format_size(std::uint64_t n);

}  // namespace redtune
