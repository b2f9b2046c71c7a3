#include "tuner/jit/cache_entry.h"

#include <xxhash.h>

#include <cstring>

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

std::optional<std::string> decode_entry(std::string_view bytes, std::string_view key) {
    if (bytes.size() < head_bytes + key.size() + number_bytes || !bytes.starts_with(magic)) return std::nullopt;
    const std::size_t blob_bytes = bytes.size() - head_bytes - key.size() - number_bytes;
    if (number_at(bytes, magic.size()) != key.size()) return std::nullopt;
    if (number_at(bytes, magic.size() + number_bytes) != blob_bytes) return std::nullopt;
    if (bytes.substr(head_bytes, key.size()) != key) return std::nullopt;
    const std::size_t checked = bytes.size() - number_bytes;
    if (number_at(bytes, checked) != XXH3_64bits(bytes.data(), checked)) return std::nullopt;
    return std::string(bytes.substr(head_bytes + key.size(), blob_bytes));
}

}  // namespace redtune::jit
