#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "redtune/size.h"

namespace redtune {

/// Returns the sizes that a text lists, in ascending order and without repeats. The text is a comma-separated list of
/// sizes and ranges. The range "1Ki..1Gi" doubles from size to size; "1Ki..1Gi:4" has four sizes per octave.
/// @throws InputError, which lists the allowed forms, for other text.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

}  // namespace redtune
