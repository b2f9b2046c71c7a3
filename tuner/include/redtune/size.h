#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "redtune/export.h"

namespace redtune {

/// Returns a size in elements from text such as "4096", "16Ki", "16Mi", "4Gi", "1Ti", "1_000_000" or "1e6".
/// @throws InputError for other text. The message lists the allowed forms and suggests a correction (16Mi or 16e6 for
/// 16M).
REDTUNE_EXPORT std::uint64_t parse_size(std::string_view text);

/// Returns a size as text that parse_size() reads back exactly, with the largest suffix that fits: "16Mi", "1000003".
REDTUNE_EXPORT std::string format_size(std::uint64_t n);

}  // namespace redtune
