#include "tuner/jit/cache_entry.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace redtune::jit {
namespace {

RC_GTEST_PROP(CacheEntry, GivesBackAnyBlobForAnyKey, (const std::string& key, const std::string& blob)) {
    RC_ASSERT(decode_entry(encode_entry(key, blob), key) == blob);
}

RC_GTEST_PROP(CacheEntry, GivesBackItsKey, (const std::string& key, const std::string& blob)) {
    const auto entry = decode_entry(encode_entry(key, blob));
    RC_ASSERT(entry && entry->key == key && entry->blob == blob);
}

RC_GTEST_PROP(CacheEntry, IsNoneForAnotherKey, (const std::string& key, const std::string& other)) {
    RC_PRE(key != other);
    RC_ASSERT(!decode_entry(encode_entry(key, "blob"), other));
}

RC_GTEST_PROP(CacheEntry, IsNoneWithAnyBitFlipped, (const std::string& key, const std::string& blob)) {
    std::string bytes = encode_entry(key, blob);
    const std::size_t bit = *rc::gen::inRange<std::size_t>(0, bytes.size() * 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    RC_ASSERT(!decode_entry(bytes));
    RC_ASSERT(!decode_entry(bytes, key));
}

TEST(CacheEntry, IsNoneAtAnyOtherLength) {
    const std::string bytes = encode_entry("key", "blob");
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        EXPECT_FALSE(decode_entry(std::string_view(bytes).substr(0, length), "key")) << length;
    }
    EXPECT_FALSE(decode_entry(bytes + '\0', "key"));
    EXPECT_FALSE(decode_entry(bytes + bytes, "key"));
}

RC_GTEST_PROP(CacheEntry, IsNoneInForeignBytes, (const std::string& bytes, const std::string& key)) {
    RC_ASSERT(!decode_entry(bytes, key));
}

// An entry stores the size of its key, so that a longer or shorter key with the same bytes does not match.
TEST(CacheEntry, DoesNotTakeABlobsStartForTheKeysEnd) {
    EXPECT_FALSE(decode_entry(encode_entry("ke", "yblob"), "key"));
    EXPECT_FALSE(decode_entry(encode_entry("keyb", "lob"), "key"));
}

}  // namespace
}  // namespace redtune::jit
