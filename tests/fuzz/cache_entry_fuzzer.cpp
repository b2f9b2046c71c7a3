// Fuzzes the entries of the cache of compiled kernels.
#include "tests/fuzz/only_errors.h"
#include "tuner/jit/cache_entry.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace redtune;
    const std::string_view bytes = fuzz::text_of(data, size);
    if (const auto entry = jit::decode_entry(bytes)) {
        fuzz::expect(jit::encode_entry(entry->key, entry->blob) == bytes);
        fuzz::expect(jit::decode_entry(bytes, entry->key) == entry->blob);
    }
    // Most inputs have a wrong checksum. What is encoded is read again, whatever it is.
    const std::string key(bytes.substr(0, size / 3));
    const std::string blob(bytes.substr(size / 3));
    fuzz::expect(jit::decode_entry(jit::encode_entry(key, blob), key) == blob);
    return 0;
}
