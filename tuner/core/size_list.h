#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redtune {

/// One size in elements: "4096", "16Ki", "16Mi", "4Gi", "1Ti".
/// @throws InputError with the allowed forms.
std::uint64_t parse_size(std::string_view text);

/// Sizes, ascending, without repeats: a size; "1Ki..1Gi", every power of two times the first;
/// "1Ki..1Gi:4", four per octave; and lists of these with commas.
/// @throws InputError with the allowed forms.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

/// The shortest exact form: "16Mi", "1000003".
std::string format_size(std::uint64_t n);

}  // namespace redtune
