#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redtune::jit {

/// Returns the bytes of a cache file: magic bytes, the sizes of key and blob, the whole key, the blob, and an XXH3
/// checksum of all these. Numbers have the machine's byte order: every machine with CUDA is little-endian.
std::string encode_entry(std::string_view key, std::string_view blob);

struct CacheEntry {
    std::string key;
    std::string blob;
};

/// Returns the entry; empty if the bytes are not a complete, undamaged entry.
std::optional<CacheEntry> decode_entry(std::string_view bytes);

/// Returns the blob; empty if the bytes are not a complete, undamaged entry for this key.
std::optional<std::string> decode_entry(std::string_view bytes, std::string_view key);

}  // namespace redtune::jit
