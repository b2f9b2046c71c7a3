#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redtune::jit {

/// A file of the cache: magic, sizes, the whole key, the blob, and an XXH3 checksum of all that. Written and read on
/// one machine, so in its own byte order.
std::string encode_entry(std::string_view key, std::string_view blob);

/// The blob, or nothing where the bytes are not a whole, undamaged entry for this key.
std::optional<std::string> decode_entry(std::string_view bytes, std::string_view key);

}  // namespace redtune::jit
