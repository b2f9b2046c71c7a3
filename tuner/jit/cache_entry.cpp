#include "tuner/jit/cache_entry.h"

#include <xxhash.h>

#include <cstring>
#include <utility>

namespace redtune::jit {

namespace {

constexpr std::string_view magic = "rtcache1";
constexpr std::size_t number_bytes = sizeof(std::uint64_t);
constexpr std::size_t head_bytes = magic.size() + 2 * number_bytes;

void append(std::string& bytes, std::uint64_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

std::uint64_t number_at(std::string_view bytes, std::size_t offset) {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data() + offset, sizeof(number));
    return number;
}

}  // namespace

std::string encode_entry(std::string_view key, std::string_view blob) {
    std::string bytes;
    bytes.reserve(head_bytes + key.size() + blob.size() + number_bytes);
    bytes.append(magic);
    append(bytes, key.size());
    append(bytes, blob.size());
    bytes.append(key);
    bytes.append(blob);
    append(bytes, XXH3_64bits(bytes.data(), bytes.size()));
    return bytes;
}

std::optional<CacheEntry> decode_entry(std::string_view bytes) {
    if (bytes.size() < head_bytes + number_bytes || !bytes.starts_with(magic)) return std::nullopt;
    const std::size_t body_bytes = bytes.size() - head_bytes - number_bytes;
    const std::uint64_t key_bytes = number_at(bytes, magic.size());
    const std::uint64_t blob_bytes = number_at(bytes, magic.size() + number_bytes);
    if (key_bytes > body_bytes || blob_bytes != body_bytes - key_bytes) return std::nullopt;
    const std::size_t checked = bytes.size() - number_bytes;
    if (number_at(bytes, checked) != XXH3_64bits(bytes.data(), checked)) return std::nullopt;
    return CacheEntry{std::string(bytes.substr(head_bytes, key_bytes)),
                      std::string(bytes.substr(head_bytes + key_bytes, blob_bytes))};
}

std::optional<std::string> decode_entry(std::string_view bytes, std::string_view key) {
    std::optional<CacheEntry> entry = decode_entry(bytes);
    if (!entry || entry->key != key) return std::nullopt;
    return std::move(entry->blob);
}

}  // namespace redtune::jit
