#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace redtune::cli {

/// Returns a function that tells whether a size is one that a --size argument selects: in "1Ki..1Gi" every size from
/// 1Ki to 1Gi, else the sizes that parse_sizes() returns. An empty text selects all sizes.
/// @throws InputError with the allowed forms
std::function<bool(std::uint64_t)> parse_size_filter(const std::string& text);

}  // namespace redtune::cli
