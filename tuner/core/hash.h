#pragma once

#include <string>
#include <string_view>

namespace redtune {

/// Returns the 128-bit XXH3 hash, which is not cryptographic, as 32 hexadecimal digits.
std::string content_hash(std::string_view bytes);

}  // namespace redtune
