#pragma once

#include <string>
#include <string_view>

namespace redtune {

/// Returns the 128-bit XXH3 hash as 32 hexadecimal digits. It is not a cryptographic hash.
std::string content_hash(std::string_view bytes);

}  // namespace redtune
