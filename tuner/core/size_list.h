#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// Returns one size in elements: "4096", "16Ki", "16Mi", "4Gi", "1Ti", "1_000_000", "1e6".
/// @throws InputError with the allowed forms, and with the one that is probably meant (16Mi or 16e6 by 16M).
std::uint64_t parse_size(std::string_view text);

/// Returns sizes, ascending, without repeats: a size; "1Ki..1Gi", every power of two times the first;
/// "1Ki..1Gi:4", four per octave; and lists of these with commas.
/// @throws InputError with the allowed forms.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

/// Returns the shortest exact form of a size: "16Mi", "1000003".
std::string format_size(std::uint64_t n);

}  // namespace redtune
