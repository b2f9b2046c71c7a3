#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "redtune/size.h"

namespace redtune {

/// Returns sizes in ascending order, each once. The text is a list, separated by commas, of sizes and ranges:
/// "1Ki..1Gi" is every power of two times its first size, "1Ki..1Gi:4" has four sizes per octave.
/// @throws InputError with the allowed forms.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

}  // namespace redtune
