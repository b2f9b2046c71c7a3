#include "tuner/jit/kernel_store.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>

#include "tests/support/database_fixture.h"
#include "tuner/core/hash.h"

namespace redtune::jit {
namespace {

RC_GTEST_PROP(KernelEntry, TheTextOfAKernelGivesItBack,
              (std::uint32_t registers, std::uint32_t shared_bytes, std::uint32_t spill_bytes)) {
    CompiledKernel kernel;
    // Symbols, identities and keys are ASCII.
    kernel.symbol = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
    kernel.nvrtc = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
    kernel.resources = {registers, shared_bytes, spill_bytes};
    const auto entry = decode_kernel(encode_kernel(kernel, "cubin\nsm_90\n0123"));
    RC_ASSERT(entry.has_value());
    RC_ASSERT(entry->key_of_cubin == "cubin\nsm_90\n0123");
    RC_ASSERT(entry->kernel.symbol == kernel.symbol);
    RC_ASSERT(entry->kernel.nvrtc == kernel.nvrtc);
    RC_ASSERT(entry->kernel.resources == kernel.resources);
}

RC_GTEST_PROP(KernelEntry, AnyOtherTextIsNone, (const std::string& text)) {
    RC_ASSERT(!decode_kernel(text));
}

TEST(KernelEntry, AMissingOrWrongMemberIsNone) {
    for (const char* text : {"{}", "[]", "null", R"({"cubin": "k", "symbol": "s"})",
                             R"({"cubin": 1, "symbol": "s", "nvrtc": "n", "registers": 1, "shared_bytes": 1,
                                 "spill_bytes": 1})"}) {
        EXPECT_FALSE(decode_kernel(text)) << text;
    }
}

class KernelStoreTest : public testing::Test {
  protected:
    static bool any(const std::string&) { return true; }
    static bool none(const std::string&) { return false; }

    CompiledKernel made(std::string symbol) const {
        CompiledKernel kernel;
        kernel.cubin = cubin_;
        kernel.symbol = std::move(symbol);
        kernel.architecture = "sm_90";
        kernel.nvrtc = "nvrtc 13.0 id";
        return kernel;
    }

    db::TemporaryFolder folder_;
    CubinCache cache_{folder_.path() / "cache", std::uint64_t{1} << 20};
    std::shared_ptr<const std::string> cubin_ = std::make_shared<const std::string>("machine code");
    KernelKey first_{"sm_90", "source", "first", "code", "options"};
    KernelKey second_{"sm_90", "source", "second", "code", "options"};
};

TEST_F(KernelStoreTest, AnotherStoreOfTheCacheFindsItsKernels) {
    KernelStore(cache_).put({first_, second_}, {made("a"), made("b")});
    KernelStore other(cache_);
    const auto first = other.find(first_, any);
    const auto second = other.find(second_, any);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(*first->cubin, *cubin_);
    EXPECT_EQ(first->cubin, second->cubin) << "they share their cubin";
    EXPECT_EQ(first->symbol, "a");
    EXPECT_EQ(second->symbol, "b");
    EXPECT_EQ(first->architecture, "sm_90");
    EXPECT_EQ(first->nvrtc, "nvrtc 13.0 id");
}

TEST_F(KernelStoreTest, FindsNoKernelOfAnNvrtcThatIsNotAccepted) {
    KernelStore store(cache_);
    store.put({first_}, {made("a")});
    EXPECT_FALSE(store.find(first_, none)) << "in memory";
    EXPECT_FALSE(KernelStore(cache_).find(first_, none)) << "in the cache";
}

TEST_F(KernelStoreTest, WhatWasPutOrFoundIsNotReadAgain) {
    KernelStore writer(cache_);
    writer.put({first_}, {made("a")});
    KernelStore reader(cache_);
    EXPECT_TRUE(reader.find(first_, any));
    std::filesystem::remove_all(cache_.folder());
    EXPECT_TRUE(writer.find(first_, any));
    EXPECT_TRUE(reader.find(first_, any));
    EXPECT_FALSE(KernelStore(cache_).find(first_, any));
}

TEST_F(KernelStoreTest, TheSystemsKernelIsFoundIfTheUsersIsNotAccepted) {
    const auto of_nvrtc = [](const char* nvrtc) {
        return [nvrtc](const std::string& made_by) { return made_by == nvrtc; };
    };
    CubinCache cache(folder_.path() / "user", std::uint64_t{1} << 20, cache_.folder());
    CompiledKernel other = made("b");
    other.nvrtc = "nvrtc 12.9 id";
    KernelStore(cache_).put({first_}, {made("a")});
    KernelStore(cache).put({first_}, {other});
    EXPECT_EQ(KernelStore(cache).find(first_, any)->symbol, "b");
    EXPECT_EQ(KernelStore(cache).find(first_, of_nvrtc("nvrtc 12.9 id"))->symbol, "b");
    EXPECT_EQ(KernelStore(cache).find(first_, of_nvrtc("nvrtc 13.0 id"))->symbol, "a");
    EXPECT_FALSE(KernelStore(cache).find(first_, of_nvrtc("nvrtc 13.1 id")));
}

TEST_F(KernelStoreTest, AKernelWhoseCubinIsGoneIsAMiss) {
    KernelStore(cache_).put({first_}, {made("a")});
    std::filesystem::remove(cache_.folder() / (content_hash(cubin_key("sm_90", *cubin_)) + ".entry"));
    EXPECT_FALSE(KernelStore(cache_).find(first_, any));
}

}  // namespace
}  // namespace redtune::jit
