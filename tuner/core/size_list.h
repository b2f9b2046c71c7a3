#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "redtune/size.h"

namespace redtune {

/// Sizes, ascending, without repeats: a size; "1Ki..1Gi", every power of two times the first;
/// "1Ki..1Gi:4", four per octave; and lists of these with commas.
/// @throws InputError with the allowed forms.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

}  // namespace redtune
